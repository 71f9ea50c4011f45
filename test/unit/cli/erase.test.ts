import { describe, expect, it } from 'vitest'
import { erase } from '../../../src/cli/erase.js'
import { exitCodes } from '../../../src/cli/sync-orders-arguments.js'
import { Problem } from '../../../src/errors.js'
import type { ErasureChoice } from '../../../src/erasure/erasures.js'

const found = {
  hasAccount: true,
  orderCount: 2,
  paymentCount: 1,
  cartCount: 0,
  addressCount: 3,
  sendCount: 4,
}

interface World {
  answer?: string
  isInteractive?: boolean
  isLeaving?: boolean
  klaviyo?: 'none' | 'waiting'
  problem?: Error
}

/** A terminal, and a shop with one person in memory. */
function worldOf({ answer = 'n', isInteractive = true, isLeaving = false, ...world }: World = {}) {
  const said: string[] = []
  const erased: [string, ErasureChoice][] = []
  const run = (...given: string[]) =>
    erase(given, {
      erasures: {
        byDefault: 'keep',
        preview: () => Promise.resolve(found),
        erase(email, choice) {
          if (world.problem) return Promise.reject(world.problem)
          erased.push([email, choice])
          return Promise.resolve({ key: 'k', klaviyo: world.klaviyo ?? 'waiting', ...found })
        },
      },
      terminal: {
        isInteractive,
        say: (line) => void said.push(line),
        ask: () => Promise.resolve(answer),
        isLeaving: () => isLeaving,
      },
    })
  return { run, said, erased, text: () => said.join('\n') }
}

describe('storeconnect erase', () => {
  it('shows what there is, and erases after a yes', async () => {
    const { run, erased, text } = worldOf({ answer: 'y' })
    expect(await run('Ada@Example.com')).toBe(exitCodes.done)
    expect(erased).toEqual([['Ada@Example.com', { orders: 'keep', door: 'command' }]])
    expect(text()).toContain(
      'An account; orders: 2, payments: 1, carts: 0, addresses: 3, sends: 4.',
    )
    expect(text()).toContain('Klaviyo is asked')
  })

  it('never repeats the email, as output is kept', async () => {
    const { run, text } = worldOf({ answer: 'y' })
    await run('ada@example.com', '--orders', 'anonymise')
    expect(text()).not.toContain('ada')
  })

  it.each([
    [{ answer: 'n' }, exitCodes.declined],
    [{ answer: '' }, exitCodes.declined],
    [{ isLeaving: true }, exitCodes.left],
    [{ isInteractive: false }, exitCodes.usage],
  ])('erases nobody without a yes: %o', async (world, code) => {
    const { run, erased } = worldOf(world)
    expect(await run('ada@example.com')).toBe(code)
    expect(erased).toEqual([])
  })

  it('asks nobody with --yes, and does with orders what it is told', async () => {
    const { run, erased, text } = worldOf({ isInteractive: false, klaviyo: 'none' })
    expect(await run('ada@example.com', '--yes', '--orders', 'anonymise')).toBe(exitCodes.done)
    expect(erased[0]?.[1].orders).toBe('anonymise')
    expect(text()).toContain('Klaviyo was not asked')
  })

  it('says why the shop refuses', async () => {
    const { run, text } = worldOf({ answer: 'y', problem: new Problem('ERASURE_OF_ADMIN') })
    expect(await run('ada@example.com')).toBe(exitCodes.failed)
    expect(text()).toContain('account of an admin')
  })

  it.each([
    [[], 'Whom?'],
    [['ada'], 'This is not an email address.'],
    [['ada@example.com', 'bob@example.com'], 'One email at a time.'],
    [['ada@example.com', '--orders', 'burn'], '--orders is keep or anonymise.'],
    [['ada@example.com', '--all'], "Unknown option '--all'."],
  ])('explains what is wrong with %o', async (given, problem) => {
    const { run, text, erased } = worldOf({ answer: 'y' })
    expect(await run(...given)).toBe(exitCodes.usage)
    expect(text()).toContain(problem)
    expect(text()).toContain('Usage: storeconnect erase')
    expect(erased).toEqual([])
  })

  it('explains itself', async () => {
    const { run, text } = worldOf()
    expect(await run('--help')).toBe(exitCodes.done)
    expect(text()).toContain('Usage: storeconnect erase')
  })
})
