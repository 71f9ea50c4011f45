import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Makes the schema of an empty database, by a script that is given these words. In a process of its
 * own: Payload pushes one schema a process, and keeps its connections.
 */
export async function pushByScript(script: string, words: readonly string[]): Promise<void> {
  const loader = script.endsWith('.ts') ? ['--import', 'tsx'] : []
  const running = run(process.execPath, [...loader, script, ...words], {
    env: { ...process.env, NODE_ENV: 'development' },
  })
  running.child.stdin?.end()
  await running
}
