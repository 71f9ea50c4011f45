import { execFile, execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from './free-port.js'

const run = promisify(execFile)

const debianFolder = '/usr/lib/postgresql'
const needed = ['initdb', 'pg_basebackup', 'pg_ctl']

/** Where Debian's `postgresql` has its programs; undefined where it is not installed. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(debianFolder)) return undefined
  return readdirSync(debianFolder)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(debianFolder, version, 'bin'))
    .find((folder) => needed.every((program) => existsSync(join(folder, program))))
}

/** How a primary ends: the kernel's way, or `pg_ctl stop -m immediate`. */
export type End = 'SIGKILL' | 'SIGQUIT'

/** A primary and its synchronous standby, on two ports that stay the same. */
export interface PostgresPair {
  /** Of the store's database, naming both hosts. */
  url: string
  /** Of the primary alone. */
  primaryUrl(): string
  killPrimary(end: End): void
  promoteStandby(): Promise<void>
  /** Puts a new standby in the place of the primary that was killed. */
  addStandby(): Promise<void>
  stop(): Promise<void>
}

const database = 'store'

/** @throws when a program is missing or fails; says what it said. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const programs = postgresPrograms()
  if (programs === undefined) throw new Error('It needs `apt-get install postgresql`.')
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-pair-'))
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (owner.uid !== undefined) chownSync(directory, owner.uid, owner.gid)
  const call = (program: string, ...words: string[]) =>
    run(join(programs, program), words, { ...owner, cwd: directory })

  const ports = [await freePort(), await freePort()] as const
  const urlOf = (hosts: string) => `postgres://postgres@${hosts}/${database}`
  const hostOf = (port: number) => `127.0.0.1:${port}`
  const running = new Set<Server>()
  let count = 0

  const start = async (folder: string, port: number): Promise<Server> => {
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c wal_keep_size=256MB -c wal_retrieve_retry_interval=200ms`
    await call('pg_ctl', '-D', folder, '-l', `${folder}.log`, '-o', options, '-w', 'start')
    const [pid = ''] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
    const server = { folder, port, pid: Number(pid) }
    running.add(server)
    return server
  }
  const onServer = async (port: number, statement: string, name = database): Promise<unknown> => {
    const client = new Client(urlOf(hostOf(port)).replace(/[^/]*$/, name))
    await client.connect()
    try {
      return Object.values(
        (await client.query<Record<string, unknown>>(statement)).rows[0] ?? {},
      )[0]
    } finally {
      await client.end()
    }
  }
  const newFolder = () => join(directory, `server-${(count += 1)}`)

  const first = newFolder()
  await call('initdb', '-D', first, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync')
  let primary = await start(first, ports[0])
  let standby: Server | undefined
  await onServer(primary.port, `create database ${database}`, 'postgres')

  return {
    url: `${urlOf(ports.map(hostOf).join(','))}?target_session_attrs=read-write`,
    primaryUrl: () => urlOf(hostOf(primary.port)),
    killPrimary(end) {
      running.delete(primary)
      process.kill(primary.pid, end)
    },
    async promoteStandby() {
      if (standby === undefined) throw new Error('There is no standby.')
      await call('pg_ctl', '-D', standby.folder, '-w', 'promote')
      primary = standby
      standby = undefined
    },
    async addStandby() {
      const folder = newFolder()
      const port = primary.port === ports[0] ? ports[1] : ports[0]
      const from = `host=127.0.0.1 port=${primary.port} user=postgres`
      await call('pg_basebackup', '-D', folder, '-d', from, '-R', '-c', 'fast', '--no-sync')
      standby = await start(folder, port)
      // After the copy, which would hand it on: a primary waits for its own standby only.
      await onServer(primary.port, `alter system set synchronous_standby_names = '*'`)
      await onServer(primary.port, 'select pg_reload_conf()')
      const isSynchronous = `select count(*) = 1 from pg_stat_replication where sync_state = 'sync'`
      while ((await onServer(primary.port, isSynchronous)) !== true);
    },
    async stop() {
      for (const { folder } of running) {
        await call('pg_ctl', '-D', folder, '-m', 'immediate', '-w', 'stop')
      }
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

interface Server {
  folder: string
  port: number
  pid: number
}

const idOf = (flag: '-u' | '-g') =>
  Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
