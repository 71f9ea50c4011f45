import { describe, expect, it } from 'vitest'
import { runNode } from '../../../dev/console/run-node.ts'

const run = (code: string, more: object = {}) =>
  runNode({ arguments: ['-e', code], cwd: process.cwd(), name: 'The work stopped', ...more })

describe('a process of its own', () => {
  it('passes its messages on', async () => {
    const messages: unknown[] = []
    await run('process.send({ done: 1 }, () => process.exit())', {
      onMessage: (message: unknown) => messages.push(message),
    })
    expect(messages).toEqual([{ done: 1 }])
  })

  it('shows what it printed when it fails', async () => {
    const failing = run('console.log("half way"); console.error("disk full"); process.exit(3)')
    await expect(failing).rejects.toThrow(/The work stopped: exit code 3\n[^]*disk full/)
  })

  it('cannot wait for an answer', async () => {
    await run('process.stdin.on("end", () => process.exit(0)).resume()')
  })

  it('ends when it is asked to', async () => {
    const stopping = new AbortController()
    const running = run('setInterval(() => {}, 1000)', { signal: stopping.signal })
    stopping.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })
})
