import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDeliverer, type Deliverer } from '../../src/delivery/deliverer.js'
import { createDeliveryStore } from '../../src/delivery/delivery-store.js'
import { createLeases } from '../../src/delivery/lease.js'
import { sendTable } from '../../src/delivery/send-table.js'
import type { Message } from '../../src/klaviyo/message.js'
import { defaultMarketingSettings } from '../../src/marketing-settings/marketing-settings.js'
import { at } from '../support/new-sends.js'
import { shopOf } from '../support/shop-of.js'
import { databaseKinds } from '../support/store.js'
import { anEvent, aSubscribe } from '../support/messages.js'
import { ModelPlatform } from './drain/model-platform.js'
import { endLease } from '../support/end-lease.js'
import { openOutboxStore, type OutboxStore } from './outbox/outbox-store.js'
import { readStates } from '../support/stored-sends.js'
import { passes } from './passes.js'

/** One process after another on the same sends, each of which may be lost in the middle of its calls. */
class Processes {
  readonly platform = new ModelPlatform(() => at(this.seconds).getTime())
  /** The time. */
  seconds = 0
  #posted = 0
  readonly #lost: Deliverer[] = []
  readonly #held: ((reason: Error) => void)[] = []

  constructor(readonly store: OutboxStore) {}

  async post(...messages: Message[]): Promise<void> {
    const acceptedAt = at(this.seconds)
    const sends = messages.map((message) => ({
      key: `send ${++this.#posted}`,
      message,
      acceptedAt,
    }))
    await this.store.outbox.store(sends)
  }

  /** A process that delivers from now on, whoever did before. */
  async #open(): Promise<Deliverer> {
    const settings = { ...defaultMarketingSettings, privateApiKey: 'key', keyProblem: undefined }
    const shop = shopOf(this.store.payload, {
      now: () => at(this.seconds),
      random: () => 0.5,
      deadline: () => new AbortController().signal,
    })
    const process = createDeliverer(shop, {
      store: createDeliveryStore(shop),
      leases: createLeases(shop),
      platform: this.platform,
      settings: () => Promise.resolve(settings),
      accountConsents: () => Promise.resolve(new Map()),
    })
    while (!(await process.take())) await endLease(this.store.database)
    return process
  }

  /** A process does what can be done now. */
  async pass(): Promise<void> {
    const process = await this.#open()
    await passes(process).pass()
    await process.giveBack()
  }

  /** A process is lost in the middle of its first calls, before the platform has them. */
  async lose(): Promise<void> {
    const process = await this.#open()
    const isHeld = new Promise<void>((resolve) => {
      this.platform.arrive = () => {
        resolve()
        return new Promise((_, reject) => void this.#held.push(reject))
      }
    })
    let isBusy = (await process.poll())?.isBusy
    while (isBusy && (await Promise.race([isHeld.then(() => true), process.oneEnded()])) !== true) {
      isBusy = (await process.poll())?.isBusy
    }
    this.platform.arrive = () => Promise.resolve()
    this.#lost.push(process)
  }

  /** A process does all that there is to do. */
  async finish(): Promise<void> {
    const process = await this.#open()
    for (let round = 0; round < 1_000; round++) {
      const { nextAt } = await passes(process).pass()
      if (nextAt === undefined) return process.giveBack()
      this.seconds = Math.max(this.seconds, (nextAt.getTime() - at(0).getTime()) / 1_000)
    }
    throw new Error('It comes to no end.')
  }

  /** Those that were lost go on: what they had in their hands comes to its end as well. */
  async wakeLost(): Promise<void> {
    for (const reject of this.#held.splice(0)) reject(new Error('The connection is gone.'))
    for (const process of this.#lost.splice(0)) await process.giveBack()
  }
}

const list = 'NEWS'

describe.each(databaseKinds)('Processes that are lost (%s)', (kind) => {
  let store: OutboxStore
  beforeAll(async () => {
    store = await openOutboxStore(kind)
  })
  beforeEach(() => store.clear())
  afterAll(() => store.close())

  const states = async () => Object.values(await readStates(store))

  it('cost their sends no attempts, and these go by themselves', async () => {
    const processes = new Processes(store)
    const people = Array.from({ length: 60 }, (_, n) => `p${n}@x.io`)
    await processes.post(...people.map((email) => aSubscribe(email)))
    const sizes: number[] = []
    for (const isFull of [false, false, true]) {
      // What fills no call waits for more sends; ten fill one of ten.
      if (!isFull) await processes.pass()
      processes.seconds += 5
      await processes.lose()
      sizes.push((await states()).filter((state) => state === 'sending').length)
    }
    expect(sizes.slice(0, 2)).toEqual([60, 60])
    expect([10, 20, 30, 40]).toContain(sizes[2])
    await processes.finish()
    await processes.wakeLost()
    expect(await states()).toEqual(people.map(() => 'sent'))
    expect(processes.platform.members.get(list)?.size).toBe(60)
    const { table, bare } = sendTable(store.database)
    const [row] = await store.database.rows(
      sql`select sum(${bare.attempts}) as "attempts" from ${table}`,
    )
    expect(Number(row?.attempts)).toBe(0)
  })

  it('are three after which a send that was alone is set aside, and what is behind it goes', async () => {
    const processes = new Processes(store)
    await processes.post(anEvent('a@x.io', 'fatal'), aSubscribe('a@x.io'))
    await processes.lose()
    // Lost alone, it is singled out, and tried again at once; then after 20 s, and after five minutes.
    await processes.lose()
    for (const wait of [20, 300]) {
      expect(await states()).toEqual(['sending', 'queued'])
      await processes.pass()
      processes.seconds += wait - 1
      await processes.pass()
      expect(processes.platform.calls).toEqual([])
      processes.seconds += 1
      await processes.lose()
    }
    await processes.pass()
    expect(await states()).toEqual(['failed WORKER_LOST', 'sent'])
    await processes.wakeLost()
    expect(await states()).toEqual(['failed WORKER_LOST', 'sent'])
  })

  it('put off what was singled out before, as long as they are lost one after another', async () => {
    const processes = new Processes(store)
    await processes.post(anEvent('a@x.io', 'innocent'))
    await processes.lose()
    await processes.lose()
    await processes.pass()
    for (const name of ['b@x.io', 'c@x.io']) {
      processes.seconds += 19
      await processes.post(anEvent(name, name))
      await processes.lose()
      await processes.pass()
      expect((await states())[0]).toBe('queued')
    }
    processes.seconds += 19
    await processes.pass()
    expect(await states()).toEqual(['queued', 'sent', 'sent'])
    processes.seconds += 1
    await processes.pass()
    expect(await states()).toEqual(['sent', 'sent', 'sent'])
    await processes.wakeLost()
  })

  it('put off nothing for longer than an hour', async () => {
    const processes = new Processes(store)
    await processes.post(anEvent('a@x.io', 'innocent'))
    processes.seconds += 3_601
    await processes.lose()
    await processes.lose()
    await processes.pass()
    processes.seconds += 19
    await processes.post(anEvent('b@x.io', 'b@x.io'))
    await processes.lose()
    await processes.pass()
    expect((await states())[0]).toBe('queued')
    processes.seconds += 1
    await processes.pass()
    expect(await states()).toEqual(['sent', 'sent'])
    await processes.wakeLost()
  })
})
