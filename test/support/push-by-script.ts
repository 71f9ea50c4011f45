import { execFileSync } from 'node:child_process'

/**
 * Makes the schema of an empty database, by a script that is given these words. In a process of its
 * own: Payload pushes one schema a process, and keeps its connections.
 */
export function pushByScript(script: string, words: readonly string[]): void {
  execFileSync(process.execPath, ['--import', 'tsx', script, ...words], {
    env: { ...process.env, NODE_ENV: 'development' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
