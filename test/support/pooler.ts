import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.js'

/** Debian installs it there, which is not among the folders of everybody's commands. */
export const poolerCommand = '/usr/sbin/pgbouncer'

/** PgBouncer in front of a PostgreSQL server: a transaction has one of five connections, and nothing outlives it. */
export async function startPooler(serverUrl: string) {
  const { hostname, port, username, password } = new URL(serverUrl)
  const ownPort = await freePort()
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-pooler-'))
  // PgBouncer refuses to run as root.
  chmodSync(directory, 0o755)
  const settings = join(directory, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
max_client_conn = 1000
`,
  )
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const server = spawn(poolerCommand, [...user, settings], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let said = ''
    server.once('error', reject)
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('process up')) resolve()
    })
    void ended.then(() => reject(new Error(`PgBouncer has ended: ${said}`)))
  })
  return {
    serverUrl: `postgres://${username}:${password}@127.0.0.1:${ownPort}`,
    async stop() {
      server.kill('SIGTERM')
      await ended
      rmSync(directory, { recursive: true })
    },
  }
}
