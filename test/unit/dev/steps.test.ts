import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { stepsOn } from '../../../dev/console/steps.ts'

const screen = (isTTY: boolean) => {
  let text = ''
  return {
    isTTY,
    write: (more: string) => {
      text += more
    },
    text: () => text,
  }
}

describe('steps', () => {
  it('are plain lines where there is no terminal', async () => {
    const paper = screen(false)
    const steps = stepsOn(paper)
    steps.skip('Build', 'up to date')
    await steps.run('Seed', (step) => Promise.resolve(step.note('half')))
    expect(paper.text()).toMatch(
      /^ {2}✓ Build \(up to date\)\n {2}… Seed\n {2}✓ Seed \(\d+\.\d s\)\n$/,
    )
  })

  it('say every few seconds that a long one goes on where there is no terminal', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const paper = screen(false)
    let end = () => {}
    const seeding = stepsOn(paper).run('Seed', (step) => {
      step.note('40 of 60 orders')
      return new Promise<void>((resolve) => (end = resolve))
    })
    vi.advanceTimersByTime(10_000)
    expect(paper.text()).toMatch(/^ {2}… Seed\n( {2}… Seed: 40 of 60 orders \(\d+\.\d s\)\n){2}$/)
    end()
    await seeding
    vi.advanceTimersByTime(10_000)
    expect(paper.text().match(/\n/g)).toHaveLength(4)
  })

  it('show a cross and pass the error on', async () => {
    const paper = screen(false)
    const failing = stepsOn(paper).run('Seed', () => Promise.reject(new Error('no room')))
    await expect(failing).rejects.toThrow('no room')
    expect(paper.text()).toContain('✗ Seed')
  })
})
