import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { erase } from '../../../src/mounts/cli/erase.js'
import { exitCodes } from '../../../src/mounts/cli/arguments.js'
import { partsOf } from '../../support/parts.js'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'

const password = 'correct horse battery'

describe('storeconnect erase', () => {
  let store: TestStore
  beforeAll(async () => {
    const settings = { privateApiKey: 'pk_test' }
    store = await openStore(anyKind, { options: { marketing: { settings } } })
  })
  afterAll(() => store.close())

  /** Runs the command at a terminal where somebody gives this answer. */
  const run = async (
    given: readonly string[],
    { answer = 'n', isInteractive = true, isLeaving = false } = {},
  ) => {
    const said: string[] = []
    const { erasures } = partsOf(store.payload)
    const terminal = {
      isInteractive,
      say: (line: string) => void said.push(line),
      ask: () => Promise.resolve(answer),
      isLeaving: () => isLeaving,
    }
    const code = await erase(given, { erasures, terminal })
    return { code, text: said.join('\n') }
  }
  const signUp = (email: string, roles: string[] = []) =>
    store.payload.create({ collection: 'users', data: { email, password, roles } })
  const accounts = async (email: string) =>
    (await store.payload.count({ collection: 'users', where: { email: { equals: email } } }))
      .totalDocs
  const setKey = (privateApiKey: string) =>
    store.payload.updateGlobal({ slug: 'marketing-settings', data: { privateApiKey } })

  it('shows what there is, erases after a yes, and never repeats the email, as output is kept', async () => {
    const { id: customer } = await signUp('ada@example.com')
    await store.payload.create({ collection: 'addresses', data: { ...anAddress(), customer } })
    for (const owner of [{ customer }, { customer }]) {
      await saveOrder(store.payload, anOrder({ ...owner, customerEmail: null }))
    }
    const { code, text } = await run(['Ada@Example.com'], { answer: 'y' })
    expect(code).toBe(exitCodes.done)
    expect(text).toMatch(
      /^An account; orders: 2, payments: 0, carts: 0, addresses: 1, sends: \d+\.$/m,
    )
    expect(text).toContain('Orders and payments stay as they are.')
    expect(text).toContain('Klaviyo is asked')
    expect(text.toLowerCase()).not.toContain('ada')
    expect(await accounts('ada@example.com')).toBe(0)
  })

  it('asks nobody with --yes, and does with orders what it is told', async () => {
    const { id } = await saveOrder(store.payload, anOrder({ customerEmail: 'grace@example.com' }))
    await setKey('')
    const given = ['grace@example.com', '--yes', '--orders', 'anonymise']
    const { code, text } = await run(given, { isInteractive: false })
    await setKey('pk_test')
    expect(code).toBe(exitCodes.done)
    expect(text).toContain('Klaviyo was not asked')
    expect(await store.payload.findByID({ collection: 'orders', id })).toMatchObject({
      customerEmail: null,
    })
  })

  it.each([
    [{ answer: 'n' }, exitCodes.declined],
    [{ answer: '' }, exitCodes.declined],
    [{ isLeaving: true }, exitCodes.left],
    [{ isInteractive: false }, exitCodes.usage],
  ])('erases nobody without a yes: %o', async (world, code) => {
    const email = `stays-${Object.values(world).join('')}@example.com`
    await signUp(email)
    expect((await run([email], world)).code).toBe(code)
    expect(await accounts(email)).toBe(1)
  })

  it('says why the shop refuses', async () => {
    await signUp('admin@example.com', ['admin'])
    const { code, text } = await run(['admin@example.com'], { answer: 'y' })
    expect([code, text]).toEqual([exitCodes.failed, expect.stringContaining('account of an admin')])
  })

  it.each([
    [[], 'Whom?'],
    [['ada'], 'This is not an email address.'],
    [['ada@example.com', 'bob@example.com'], 'One email at a time.'],
    [['ada@example.com', '--orders', 'burn'], '--orders is keep or anonymise.'],
    [['ada@example.com', '--all'], "Unknown option '--all'."],
    [['--help'], ''],
  ])('explains what is wrong with %o, and itself', async (given, problem) => {
    const { code, text } = await run(given, { answer: 'y' })
    expect(code).toBe(problem === '' ? exitCodes.done : exitCodes.usage)
    expect(text).toContain(problem)
    expect(text).toContain('Usage: storeconnect erase')
  })
})
