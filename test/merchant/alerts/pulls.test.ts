import { afterEach, describe, expect, it } from 'vitest'
import type { StoredAlertSettings } from '../../../src/merchant/alerts/alert-settings.js'
import type { Condition } from '../../../src/merchant/alerts/conditions.js'
import { changeSettings } from '../../support/exported-orders.js'
import { anOrder, saveOrder, saveOrders } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { anyKind } from '../../support/store.js'
import { only, openAlertWorld, type AlertWorld } from './alert-world.js'

const dates = { start_date: '11/20/2026 00:00', end_date: '11/24/2026 00:00' }

describe('An alert about pulls', () => {
  let world: AlertWorld
  afterEach(() => world.close())

  const open = async (condition: Condition, settings: Partial<StoredAlertSettings> = {}) => {
    world = await openAlertWorld(anyKind, {
      settings: { ...only(condition), digest: false, ...settings },
    })
    await changeSettings(world.payload, { pageSize: '2', storeField: 'warehouse' })
  }
  const pull = async (page: number, parameters: Record<string, string> = dates) => {
    world.move(1000)
    await world.handle(exportRequest({ page: String(page), ...parameters }))
  }
  const save = (count: number, order = {}) => {
    const updatedAt = new Date().toISOString()
    const orders = Array.from({ length: count }, () => anOrder({ updatedAt, ...order }))
    return saveOrders(world.payload, orders)
  }
  const said = () => world.mails.map(({ subject }) => subject.replace(/[.:].*/, ''))
  const stopped = 'ShipStation stopped at page 2 of 3 and has not asked again'
  const nothing =
    'ShipStation asks for orders and finds none, and paid orders wait outside of what it asks for'

  it('that stopped has its dates, and names the orders behind it with links', async () => {
    await open('windowStopped')
    const orders = await save(6)
    await pull(1)
    await pull(2)
    await world.pass(32)
    expect(said()).toEqual([stopped])
    const [mail] = world.mails
    expect(mail?.text).toContain(`: ${dates.start_date} – ${dates.end_date} (UTC)\n`)
    const url = 'https://shop.example/admin/collections/orders/'
    const behind = orders
      .slice(4)
      .map(({ id, reference }) => ({ number: reference, url: `${url}${id}` }))
    for (const { number, url: link } of behind) expect(mail?.text).toContain(`${number}: ${link}`)
    const { data } = JSON.parse(String(world.posted[0]?.body)) as { data: object }
    expect(data).toMatchObject({ page: 2, pages: 3, count: 1, orders: behind })
  })

  it('that stopped names the orders of the first page that was not answered', async () => {
    await open('windowStopped')
    const orders = await save(6)
    for (const page of [1, 3, 99]) await pull(page)
    await world.pass(32)
    expect(said()).toEqual(['ShipStation stopped at page 1 of 3 and has not asked again'])
    const { data } = JSON.parse(String(world.posted[0]?.body)) as { data: { orders: object[] } }
    expect(data.orders).toMatchObject(
      orders.slice(2, 4).map(({ reference: number }) => ({ number })),
    )
  })

  it('that stopped, or that find nothing, begins after the time in the settings', async () => {
    await open('windowStopped', {
      windowStoppedMinutes: 5,
      nothingFound: true,
      nothingFoundHours: 1,
    })
    await save(6)
    await pull(1)
    await pull(2)
    await world.pass(4, 2)
    expect(said()).toEqual([])
    await world.pass(4, 2)
    expect(said()).toEqual([stopped])
    await save(1)
    const shifted = { start_date: '11/23/2026 20:00', end_date: '11/24/2026 08:00' }
    for (let asked = 0; asked < 4; asked++) {
      await pull(1, shifted)
      await world.pass(20)
    }
    expect(said()).toEqual([stopped, nothing])
  })

  it('that stopped goes on until a pull of all that it asked for is complete', async () => {
    await open('windowStopped')
    await save(6)
    await pull(1)
    await pull(2)
    await world.pass(32)
    const wider = { ...dates, start_date: '11/19/2026' }
    for (const page of [1, 2, 3]) await pull(page, { ...wider, end_date: '11/23/2026 23:00' })
    for (const page of [1, 2, 3]) await pull(page, { ...wider, store: 'berlin' })
    await pull(1, wider)
    await pull(2, wider)
    await world.pass(70, 10)
    expect(said()).toEqual([stopped])
    await pull(3, wider)
    await world.pass(2)
    expect(said()).toEqual([
      stopped,
      'No request for orders of the last 30 days is stopped half-way any more',
    ])
  })

  it('that stopped does not begin while ShipStation asks for the same again', async () => {
    await open('windowStopped')
    await save(6)
    await pull(1)
    await pull(2)
    const wider = { ...dates, start_date: '11/19/2026' }
    await world.pass(20)
    await pull(1, wider)
    await world.pass(20)
    await pull(2, wider)
    await world.pass(20)
    expect(said()).toEqual([])
  })

  it('that got no further than page 1 does not begin where one did', async () => {
    await open('firstPageOnly')
    await save(6)
    for (const start of ['11/01/2026', '11/02/2026', '11/03/2026', '11/04/2026']) {
      await pull(1, { ...dates, start_date: start })
      if (start === '11/03/2026') await pull(2, { ...dates, start_date: start })
    }
    await world.pass(60, 20)
    expect(said()).toEqual([])
    await pull(1, { ...dates, start_date: '11/05/2026' })
    await pull(1, { ...dates, start_date: '11/06/2026' })
    await world.pass(60, 20)
    expect(said()).toEqual(['ShipStation asks only for page 1 of several'])
  })

  const hours = async (count: number, ask: () => Promise<void>) => {
    for (let hour = 0; hour < count; hour++) {
      await ask()
      await world.pass(60, 30)
    }
  }

  it('that find nothing begins for dates that are shifted, with the orders', async () => {
    await open('nothingFound')
    await hours(2, () => pull(1))
    const [order] = await save(1)
    const shifted = { start_date: '11/23/2026 20:00', end_date: '11/24/2026 08:00' }
    await hours(2, () => pull(1, shifted))
    expect(said()).toEqual([])
    await hours(2, () => pull(1, shifted))
    expect(said()).toEqual([nothing])
    expect(world.mails[0]?.text).toContain(`${order?.reference}: https://shop.example/admin/`)
    expect(world.mails[0]?.text).toContain(shifted.start_date)
  })

  it('that find nothing does not begin in a quiet shop, nor for stores that nobody asks for', async () => {
    await open('nothingFound')
    await hours(1, () => pull(1))
    await save(1, { warehouse: 'portland' })
    await save(1, { warehouse: 'berlin', status: 'cancelled' })
    await hours(1, () => pull(1, { ...dates, store: 'berlin' }))
    await saveOrder(
      world.payload,
      anOrder({ warehouse: 'portland', updatedAt: new Date().toISOString() }),
    )
    const berlin = { start_date: '11/23/2026 20:00', end_date: '11/24/2026 08:00', store: 'berlin' }
    await hours(6, () => pull(1, berlin))
    expect(said()).toEqual([])
  })
})
