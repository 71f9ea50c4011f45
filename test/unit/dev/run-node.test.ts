import { describe, expect, it } from 'vitest'
import { runNode } from '../../../dev/console/run-node.ts'

const run = (code: string, more: object = {}) =>
  runNode({ arguments: ['-e', code], cwd: process.cwd(), name: 'The work stopped', ...more })

describe('a process of its own', () => {
  it('shows what it printed when it fails', async () => {
    const failing = run('console.log("half way"); console.error("disk full"); process.exit(3)')
    await expect(failing).rejects.toThrow(/The work stopped: exit code 3\n[^]*disk full/)
  })

  it('ends when it is asked to', async () => {
    const stopping = new AbortController()
    const running = run('setInterval(() => {}, 1000)', { signal: stopping.signal })
    stopping.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })
})
