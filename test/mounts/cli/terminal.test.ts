import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { processScript } from '../../support/process-script.js'

describe('Ctrl-C at storeconnect sync-orders', () => {
  let child: ChildProcessWithoutNullStreams
  let text: string

  afterEach(() => void child.kill('SIGKILL'))

  function start(...given: string[]) {
    text = ''
    const script = processScript('sync-orders-process')
    child = spawn(process.execPath, [script, ...given])
    child.stdout.on('data', (data: Buffer) => (text += data.toString()))
    child.stderr.on('data', (data: Buffer) => (text += data.toString()))
    return once(child, 'exit').then(([code]) => code as number | null)
  }
  const says = (part: string) => expect.poll(() => text).toContain(part)

  it('before anything was begun leaves it at that', async () => {
    const ended = start('untouched', 'pipe', '--yes', '--wait')
    await says('counting')
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(text).toContain('Nothing was begun.')
    expect(text.split('\n')).not.toContain('begun')
  })

  it('while the run goes on leaves it to the shop', async () => {
    const ended = start('run', 'pipe', '--yes', '--wait')
    await says('Sending: 3 of 3')
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(text).toContain('The run goes on')
  })

  it('while the rest is sent leaves it to the shop too', async () => {
    const ended = start('send', 'pipe', '--yes', '--wait')
    await says('All orders are in the queue')
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(text).toContain('goes out while the shop runs')
  })

  it('a second time ends it, whatever it does', async () => {
    const ended = start('count', 'pipe', '--yes', '--wait')
    await says('counting')
    // Signals that wait together are one.
    const again = setInterval(() => child.kill('SIGINT'), 50)
    expect(await ended).toBe(130)
    clearInterval(again)
    expect(text).not.toContain('Nothing was begun.')
  })

  it.each(['the key', 'the signal'])('at the question ends it with 130, by %s', async (way) => {
    const ended = start('', 'terminal')
    await says('[y/N]')
    if (way === 'the key') child.stdin.write('\u0003')
    else child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(text.split('\n')).not.toContain('begun')
  })

  it('an answer at the question begins, or does not', async () => {
    const yes = start('', 'terminal', '--wait')
    await says('[y/N]')
    child.stdin.write('y\r')
    expect(await yes).toBe(0)
    const no = start('', 'terminal', '--wait')
    await says('[y/N]')
    child.stdin.write('n\r')
    expect(await no).toBe(3)
  })
})
