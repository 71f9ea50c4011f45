import { afterEach, describe, expect, it } from 'vitest'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.js'
import type { Channel, ChannelState } from '../../../src/merchant/alerts/alert.js'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { apiOf, type Role } from '../../support/api-of.js'
import { endLease } from '../../support/end-lease.js'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { ordersOfYear, savePastOrders } from '../../support/past-orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import type { SimulatedProcess } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'
import { only, openAlertWorld, type AlertWorld } from './alert-world.js'

const minuteMs = 60_000

/** An order that cannot be exported, and what completes it. */
async function skipOrder({ payload, handle }: AlertWorld) {
  const order = anOrder({ shippingAddress: anAddress({ city: '' }) })
  const { id } = await saveOrder(payload, order)
  await handle(exportRequest())
  return async () => {
    const data = { shippingAddress: anAddress() }
    await payload.update({ collection: 'orders', id, data })
    await handle(exportRequest())
  }
}

const begun = 'ShipStation does not get 1 order, because it is not complete.'
const over = 'No incomplete order is skipped any more.'

describe('Messages about alerts', () => {
  let world: AlertWorld
  afterEach(() => world.close())

  const open = async (settings: Parameters<typeof openAlertWorld>[1] = {}) => {
    const quiet = { ...only('ordersSkipped'), digest: false }
    world = await openAlertWorld(anyKind, {
      ...settings,
      settings: { ...quiet, ...settings.settings },
    })
  }
  const state = () => world.parts.alerts.state()
  /** How far each message of the alerts has come, those by email first. */
  const states = async () => {
    const collection = 'storeconnect-alerts'
    const { docs } = await world.payload.find({ collection, sort: 'id', pagination: false })
    return docs.flatMap(({ noted }) => {
      const lines = JSON.parse(String(noted ?? '{}')) as Partial<Record<Channel, ChannelState>>
      return [lines.email, lines.webhook].flatMap((line) =>
        line ? [line.trying ? 'tried' : 'sent'] : [],
      )
    })
  }
  const subjects = () => world.mails.map(({ subject }) => subject)
  const posts = () =>
    world.posted.map(({ id, body }) => ({ id, ...(JSON.parse(body) as { type: string }) }))

  it('are sent once by processes that take over from each other, round after round', async () => {
    await open()
    const processes: SimulatedProcess[] = [world, await world.join(), await world.join()]
    for (let turn = 0; turn < 2; turn++) {
      const mend = await skipOrder(world)
      for (const store of [...processes, ...processes]) {
        world.move(12 * minuteMs)
        await world.runTask(store)
      }
      await mend()
      for (const store of [...processes, ...processes]) {
        world.move(12 * minuteMs)
        await world.runTask(store)
      }
    }
    expect(subjects()).toEqual([begun, over, begun, over])
    expect(posts().map(({ type }) => type)).toEqual([
      'alert.begun',
      'alert.ended',
      'alert.begun',
      'alert.ended',
    ])
  })

  it('are sent once when a task runs in the process that delivers already', async () => {
    await open()
    const { alerts, delivery } = world.parts
    delivery.start()
    const checkedAt = async () => (await alerts.state()).checkedAt?.getTime()
    await expect.poll(checkedAt).toBe(Date.now())
    await skipOrder(world)
    const takeTurn = async () => {
      const step = await alerts.watchman.next()
      if ('run' in step) await step.run()
    }
    const passSecond = async () => {
      world.move(1_000)
      await Promise.all([takeTurn(), takeTurn(), takeTurn()])
      return states()
    }
    await expect.poll(passSecond, { interval: 10, timeout: 30_000 }).toEqual(['sent', 'sent'])
    await delivery.stop()
    expect(subjects()).toEqual([begun])
    expect(posts()).toHaveLength(1)
  })

  it('are sent by the next process with the same id when one is lost while it sends', async () => {
    await open()
    // It hangs with all its timers, so that it renews no lease.
    const hung = await world.join({ effects: { after: () => () => undefined } })
    await skipOrder(world)
    const lost = new Promise<(reason: Error) => void>((begun) => {
      world.mailer.send = () => new Promise((_, fail) => begun(fail))
    })
    const hanging = world.runTask(hung)
    const lose = await lost
    await expect.poll(states).toEqual(['tried', 'sent'])
    const database = sqlDatabase(world.payload)
    world.mailer.send = () => Promise.resolve()
    await endLease(database)
    await world.runTask()
    expect(world.mails).toEqual([])

    world.move(minuteMs)
    await endLease(database)
    await world.runTask()
    expect(world.mails.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^<ordersSkipped-\d+-begun-email@shop\.example>$/),
    ])
    expect(posts()).toHaveLength(1)
    lose(new Error('The process is gone'))
    await hanging
    expect(world.mails).toHaveLength(1)
  })

  it('are not made by a process that was paused while another took over', async () => {
    await open()
    const database = sqlDatabase(world.payload)
    const paused = await world.join()
    const goOnAfter = async (statement: RegExp, meanwhile: () => Promise<unknown>) => {
      world.move(minuteMs)
      const goOn = await world.pausedRound(paused, statement)
      await endLease(database)
      await meanwhile()
      await world.runTask()
      await goOn()
      await world.pass(3)
    }
    const mend = await skipOrder(world)
    await goOnAfter(/insert into "storeconnect_alerts"/, mend)
    expect(subjects()).toEqual([])

    const mendAgain = await skipOrder(world)
    await world.pass(1)
    await mendAgain()
    await goOnAfter(/update "storeconnect_alerts"/, () => skipOrder(world))
    expect(subjects()).toEqual([begun])
  })

  it('are tried again with the same id and body, and arrive in their order', async () => {
    await open({ settings: { recipients: [] } })
    const mend = await skipOrder(world)
    for (const status of [500, 404, 302]) {
      world.receiver.status = status
      await world.pass(3)
    }
    const failed = world.posted.splice(0)
    expect(failed.length).toBeGreaterThanOrEqual(3)
    expect(new Set(failed.map(({ id }) => id)).size).toBe(1)
    expect(new Set(failed.map(({ body }) => body)).size).toBe(1)
    expect(new Set(failed.map(({ timestamp }) => timestamp)).size).toBe(failed.length)

    await mend()
    await world.pass(60, 6)
    expect(new Set(world.posted.splice(0).map(({ id }) => id))).toEqual(new Set([failed[0]?.id]))
    world.receiver.status = 200
    await world.pass(120, 60)
    expect(posts().map(({ type }) => type)).toEqual(['alert.begun', 'alert.ended'])
    expect(posts()[0]?.id).toBe(failed[0]?.id)
    expect(world.mails).toEqual([])
  })

  it('reach by webhook who can be reached while the email adapter throws', async () => {
    await open()
    world.mailer.send = () => {
      throw new Error('No login for merchant@shop.example: secret')
    }
    await skipOrder(world)
    await world.pass(2)
    expect(posts().map(({ type }) => type)).toEqual(['alert.begun'])
    expect((await state()).checkedAt?.getTime()).toBe(Date.now())
    expect(world.log.text()).not.toMatch(/merchant@shop|secret/)
    world.mailer.send = () => Promise.resolve()
    await world.pass(5)
    expect(subjects()).toEqual([begun])
  })

  it('do not wait for a webhook that never answers, which is tried again', async () => {
    let deadline = new AbortController()
    const waited: number[] = []
    await open({
      effects: {
        deadline(ms) {
          waited.push(ms)
          return deadline.signal
        },
      },
    })
    await skipOrder(world)
    world.receiver.answer = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('Aborted')))
        deadline.abort()
      })
    await world.pass(1)
    expect(waited).toContain(10_000)
    expect(subjects()).toEqual([begun])
    expect(world.log.lines()).toContainEqual(expect.objectContaining({ error: 'TIMEOUT' }))
    deadline = new AbortController()
    world.receiver.answer = undefined
    await world.pass(2)
    const [hung, answered, ...others] = posts()
    expect([hung?.id, others]).toEqual([answered?.id, []])
  })

  it('do not read what a webhook answers', async () => {
    await open()
    await skipOrder(world)
    const closed = new Promise<void>((resolve) => {
      const pull = (body: ReadableStreamDefaultController) => body.enqueue(new Uint8Array(65_536))
      world.receiver.answer = () =>
        Promise.resolve(new Response(new ReadableStream({ pull, cancel: () => resolve() })))
    })
    await world.pass(1)
    await closed
    await world.pass(5)
    expect(posts().map(({ type }) => type)).toEqual(['alert.begun'])
    expect(await states()).toEqual(['sent', 'sent'])
  })

  it('are sent although a task has more to do than it has time for', async () => {
    let isSlow = false
    await open({
      options: {
        marketing: {
          settings: { privateApiKey: demoApiKey },
          beforeEvent(event) {
            if (isSlow) world.move(minuteMs)
            return event
          },
        },
      },
    })
    const { payload, handle } = world
    await savePastOrders(payload, ordersOfYear(3))
    await saveOrder(payload, anOrder({ shippingAddress: anAddress({ city: '' }) }))
    await world.pass(1)
    await handle(exportRequest())
    await world.parts.histories.start(
      { from: '2025-01-01', to: '2026-01-01' },
      { startedBy: 'merchant@shop.example' },
    )
    isSlow = true
    world.move(minuteMs)
    const before = Date.now()
    await world.runTask()
    expect(Date.now()).toBeGreaterThan(before)
    expect(subjects()).toEqual([begun])
  })

  it('are given up after a day, which the log and the overview say without an address', async () => {
    await open()
    world.mailer.send = () =>
      Promise.reject(new Error('550 <merchant@shop.example> does not exist: secret'))
    await skipOrder(world)
    await world.pass(36 * 60, 6 * 60)
    const lines = world.log.lines().filter(({ msg }) => msg.includes('was given up'))
    expect(lines.map(({ error }) => error)).toEqual(['UNREACHABLE'])
    expect(world.log.text()).not.toMatch(/merchant@shop|does not exist/)
    const { failures, open: opened } = await state()
    expect(failures).toMatchObject([{ channel: 'email', error: 'UNREACHABLE' }])
    expect(opened).toMatchObject([{ condition: 'ordersSkipped' }])
    await world.saveSettings({ recipients: [] })
    expect((await state()).failures).toEqual([])
    await world.saveSettings({ recipients: ['merchant@shop.example'] })

    world.mailer.send = () => Promise.resolve()
    await world.pass(2)
    expect(world.mails).toEqual([])
  })

  it('remind once a day, at the hour of the shop, of what is still open', async () => {
    await open({
      settings: { digest: true, digestHour: 8 },
      options: { timezone: 'Europe/Berlin' },
    })
    const mend = await skipOrder(world)
    await world.pass(2)
    expect(subjects()).toEqual([begun])
    // Noon in London is 13:00 in Berlin: the first reminder comes the next morning at 08:00 there.
    await world.pass(18 * 60 + 50, 18 * 60 + 50)
    expect(world.mails).toHaveLength(1)
    await world.pass(10, 5)
    await world.pass(10 * 60, 60)
    expect(subjects()).toEqual([begun, 'Storeconnect: 1 alert is still open'])
    expect(world.mails[1]?.text).toContain(begun)
    await world.pass(24 * 60, 12 * 60)
    expect(world.mails).toHaveLength(3)
    await mend()
    await world.pass(1)
    await world.pass(24 * 60, 6 * 60)
    expect(subjects().slice(3)).toEqual([over])
  })

  it('that an admin puts off are quiet for a day, and said again after it', async () => {
    await open({
      settings: { digest: true, digestHour: 8 },
      options: { timezone: 'Europe/Berlin' },
    })
    const mend = await skipOrder(world)
    await world.pass(2)
    const page = 'https://shop.example/admin/collections/storeconnect-alerts/'
    const [, id = ''] = /Put it off for a day: .*\/storeconnect-alerts\/(\S+)$/.exec(
      world.mails[0]?.text ?? '',
    ) ?? ['']
    expect(world.mails[0]?.html).toContain(`<a href="${page}${id}">Put it off for a day</a>`)
    expect(JSON.parse(String(world.posted[0]?.body))).toMatchObject({
      data: { alertUrl: `${page}${id}` },
    })
    // A login does not last for a day.
    const snooze = (of: string, as: Role) =>
      apiOf(world)(`/storeconnect-alerts/${of}/snooze`, { as, body: {} })
    expect((await snooze(id, 'customer')).status).toBe(403)
    expect((await snooze('none', 'admin')).status).toBe(409)
    expect(await (await snooze(id, 'admin')).json()).toEqual({ done: true })
    await world.pass(23 * 60, 30)
    expect(subjects()).toEqual([begun])
    await world.pass(2 * 60, 30)
    expect(subjects()).toEqual([begun, begun])
    expect(JSON.parse(String(world.posted[1]?.body))).toMatchObject({ type: 'alert.repeated' })
    await world.pass(24 * 60, 60)
    expect(subjects().slice(2)).toEqual(['Storeconnect: 1 alert is still open'])
    expect((await snooze(id, 'admin')).status).toBe(200)
    await mend()
    await world.pass(2 * 60, 30)
    expect(subjects().slice(3)).toEqual([over])
    expect((await snooze(id, 'admin')).status).toBe(409)
  })

  it('remind at the full hour where the settings have a fraction of one from before', async () => {
    await open({ settings: { digest: true } })
    await world.saveSettings({ digestHour: 8 })
    const { db } = world.payload
    const slug = 'alert-settings'
    const stored: Record<string, unknown> = await db.findGlobal({ slug })
    await db.updateGlobal({ slug, data: { ...stored, digestHour: 8.5 } })
    await skipOrder(world)
    await world.pass(21 * 60, 60)
    expect(subjects()).toEqual([begun, 'Storeconnect: 1 alert is still open'])
  })

  it('name the skipped orders, in the reminder too', async () => {
    await open({ settings: { digest: true } })
    const { payload, handle } = world
    const order = anOrder({ shippingAddress: anAddress({ city: '' }) })
    const { id, reference } = await saveOrder(payload, order)
    await handle(exportRequest())
    await world.pass(21 * 60, 60)
    const named = `${reference}: https://shop.example/admin/collections/orders/${id}\n`
    expect(world.mails.map(({ text }) => text.includes(named))).toEqual([true, true])
    const [first, second] = world.posted.map(({ body }) => JSON.parse(body) as { data: object })
    const data = { orders: [expect.objectContaining({ number: reference })] }
    expect(first?.data).toMatchObject(data)
    expect(second?.data).toMatchObject({ alerts: [data] })
  })

  it('are not made while nobody is named: nothing is read and nothing stored', async () => {
    await open({ settings: { recipients: [], webhookUrl: '', webhookSecret: '' } })
    await skipOrder(world)
    await world.pass(10)
    const { payload } = world
    expect((await payload.count({ collection: 'storeconnect-alerts' })).totalDocs).toBe(0)
    expect(await payload.kv.get('storeconnect:alerts')).toBeNull()
  })

  it('are sent though the clock was set back by an hour, also one that is tried again', async () => {
    await open({ settings: { webhookUrl: '' } })
    await world.pass(1)
    world.setClock(-60 * minuteMs)
    await skipOrder(world)
    world.mailer.send = () => Promise.reject(new Error('No server'))
    await world.runTask()
    expect(await states()).toEqual(['tried'])

    world.setClock(-60 * minuteMs)
    world.mailer.send = () => Promise.resolve()
    await world.runTask()
    expect(subjects()).toEqual([begun])
  })
})
