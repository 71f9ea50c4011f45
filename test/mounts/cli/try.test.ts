import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { realEffects } from '../../../src/core/effects.js'
import { readTrial } from '../../../src/core/trial.js'
import { TestBrowser } from '../../support/browser.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { partsOf } from '../../support/parts.js'
import { createProduct } from '../../support/products.js'
import { processScript } from '../../support/process-script.js'
import { serveStore, type ServedStore } from '../../support/served-store.js'
import { shopToTry } from '../../support/shop-to-try.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'

const slow = { timeout: 60_000 }

describe('storeconnect try', () => {
  let store: TestStore
  let served: ServedStore
  let child: ChildProcessWithoutNullStreams | undefined
  let text: string

  beforeEach(async () => {
    store = await openStore(anyKind, shopToTry)
    served = await serveStore(store)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    child?.kill('SIGKILL')
    await served.close()
    await store.close()
  })

  function start(at: 'pipe' | 'terminal', ...given: string[]) {
    text = ''
    const script = processScript('try-process')
    const started = spawn(process.execPath, [script, store.url, at, '--url', served.url, ...given])
    child = started
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (data: Buffer) => (text += data.toString()))
    }
    return once(started, 'exit').then(([code]) => code as number | null)
  }
  const says = (part: string) => expect.poll(() => text, slow).toContain(part)
  const types = (line: string) => child?.stdin.write(`${line}\n`)

  const page = async (): Promise<string> => {
    const url = /http:\/\/127\.0\.0\.1:\d+\/$/m.exec(text)?.[0] ?? ''
    return (await fetch(url)).text()
  }
  const signUp = async (email: string): Promise<void> => {
    const answer = await new TestBrowser(store).track({
      email,
      'event[name]': 'Liked <b>tea</b>',
      list: 'VIPLIST',
      subscribe: '1',
    })
    expect(await answer.json()).toBe('success')
  }
  const settings = async (): Promise<unknown> =>
    Promise.all(
      ['shipping-settings', 'marketing-settings'].map((slug) =>
        store.payload.db.findGlobal({ slug }),
      ),
    )
  const sendStates = async (): Promise<unknown[]> => {
    const { docs } = await store.payload.find({ collection: 'marketing-sends', sort: 'id' })
    return docs.map((send) => (send as unknown as { state: string }).state)
  }
  const pullStatus = async (): Promise<number> =>
    (await fetch(`${served.url}/actions/shippingconnect/orders/process?action=export`)).status

  it('pulls the orders, ships the one that is named, and shows what Klaviyo would get', async () => {
    const before = await settings()
    const { reference, id } = await saveOrder(store.payload, anOrder())
    const ended = start('terminal', '--only', 'shipping')
    await says('Begin?')
    types('y')
    await says('p: pull again')
    expect(text).toContain(reference)
    expect(text).toContain('1 processing')
    types('s')
    await says('Enter for none')
    expect(text).toContain('A shipment changes the order for good')
    types(reference)
    await says('is shipped by UPS')
    types('q')
    expect(await ended).toBe(0)
    expect(await settings()).toEqual(before)
    const order = await store.payload.findByID({ collection: 'orders', id })
    expect(order).toMatchObject({ status: 'shipped' })
  }, 60_000)

  it('shows what the shop sends on a page, escaped, until Ctrl-C; then sends wait again', async () => {
    const before = await settings()
    const ended = start('pipe', '--only', 'marketing', '--yes')
    await says('q or Ctrl-C')
    await signUp('ada@example.com')
    await expect.poll(page, slow).toContain('Liked &lt;b&gt;tea&lt;/b&gt;')
    await expect.poll(page, slow).toContain('email: SUBSCRIBED to the list VIPLIST')
    await expect.poll(sendStates, slow).not.toContain('queued')
    child?.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(text).toContain('The settings are as they were')
    expect(await settings()).toEqual(before)
    expect(await store.payload.kv.get('storeconnect:trial')).toBeNull()
  }, 60_000)

  it('takes the catalog, who waits for a product, and coupon codes', async () => {
    await store.payload.updateGlobal({ slug: 'marketing-settings', data: { catalog: 'api' } })
    const id = await createProduct(store.payload, {
      image: 'https://cdn.example/tea.png',
      inventory: 0,
    })
    const ended = start('pipe', '--only', 'marketing', '--yes')
    const where = { id: { equals: `variant:product-${id}` }, state: { equals: 'done' } }
    const isTaken = async () =>
      (await store.payload.count({ collection: 'marketing-catalog', where })).totalDocs
    await expect.poll(isTaken, slow).toBe(1)
    const asked = { email: 'ada@example.com', 'backInStock[productId]': String(id) }
    expect(await (await new TestBrowser(store).track(asked)).json()).toBe('success')
    const waits = `EMAIL when the variant product-${id} is in stock again`
    await expect.poll(page, slow).toContain(waits)
    await expect.poll(page, slow).toContain('120 codes, such as')
    await expect.poll(sendStates, slow).toEqual(['sent', 'sent'])
    const { docs } = await store.payload.find({ collection: 'marketing-coupon-codes', limit: 1 })
    const discountCode = String(docs[0]?.id)
    await saveOrder(store.payload, anOrder({ discountCode }))
    await expect.poll(page, slow).toContain(`COME-BACK-${discountCode}</b> · was used`)
    child?.kill('SIGINT')
    expect(await ended).toBe(0)
    const { open } = await partsOf(store.payload).alerts.matters()
    expect(open.filter(({ name }) => /Refused|Failed/.test(name))).toEqual([])
  }, 90_000)

  it('is over soon after it was killed, and nothing is lost meanwhile', async () => {
    const before = await settings()
    const ended = start('pipe', '--yes')
    await says('q or Ctrl-C')
    child?.kill('SIGKILL')
    await ended
    await signUp('bob@example.com')
    expect(await settings()).toEqual(before)
    expect(await start('pipe', '--yes')).toBe(4)
    expect(text).toContain('over after 15 seconds')
    const trial = () => readTrial({ payload: store.payload, effects: realEffects })
    await expect.poll(trial, slow).toBeUndefined()
    expect(await sendStates()).toContain('queued')
    expect(await start('pipe', '--yes')).toBe(3)
    expect(text).toContain('sends already wait for Klaviyo')
  }, 90_000)

  it('leaves a shop in production alone, unless it is told to', async () => {
    await saveOrder(store.payload, anOrder())
    vi.stubEnv('NODE_ENV', 'production')
    const ended = start('pipe', '--yes', '--only', 'shipping')
    await says('pass --production')
    child?.kill('SIGINT')
    expect(await ended).toBe(0)
    void start('pipe', '--yes', '--only', 'shipping', '--production')
    await says('1 processing')
  }, 60_000)

  it('does not begin in a shop with a key', async () => {
    await store.payload.updateGlobal({
      slug: 'marketing-settings',
      data: { privateApiKey: 'pk_of_a_real_account' },
    })
    expect(await start('pipe', '--yes')).toBe(3)
    expect(text).toContain('This shop has a Klaviyo key')
    expect(await store.payload.kv.get('storeconnect:trial')).toBeNull()
  }, 60_000)

  it('does not take what already waits for Klaviyo, unless it is told to', async () => {
    await signUp('cy@example.com')
    expect(await start('pipe', '--yes')).toBe(3)
    expect(text).toContain('sends already wait for Klaviyo')
    const ended = start('pipe', '--yes', '--waiting', '--only', 'marketing')
    await says('q or Ctrl-C')
    await expect.poll(page, slow).toContain('cy@example.com')
    child?.kill('SIGINT')
    expect(await ended).toBe(0)
  }, 60_000)

  it('says that nobody answers where no shop runs', async () => {
    expect(await start('pipe', '--yes', '--url', 'http://127.0.0.1:9')).toBe(1)
    expect(text).toContain('Start the shop first')
    expect(await pullStatus()).toBe(401)
  }, 60_000)
})
