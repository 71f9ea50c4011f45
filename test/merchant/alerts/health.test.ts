import { afterEach, describe, expect, it } from 'vitest'
import { triedLoginsPerAccount } from '../../../src/core/http/login-throttle.js'
import { mounts, type Mount } from '../../support/mounts.js'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { anyKind } from '../../support/store.js'
import { only, openAlertWorld, type AlertWorld } from './alert-world.js'

const token = 'mFh4 zT2sW9'
const path = '/actions/storeconnect/health'

describe('The health URL', () => {
  let world: AlertWorld
  let mount: Mount | undefined
  afterEach(async () => {
    await mount?.close()
    mount = undefined
    await world.close()
  })

  const open = async (settings: Parameters<typeof openAlertWorld>[1] = {}) => {
    world = await openAlertWorld(anyKind, {
      settings: {
        recipients: [],
        webhookUrl: '',
        webhookSecret: '',
        healthToken: token,
        ...only('ordersSkipped'),
        ...settings.settings,
      },
    })
  }
  const asking = (init: RequestInit = {}): RequestInit => ({
    ...init,
    headers: { accept: 'application/json', ...init.headers },
  })
  const ask = (init?: RequestInit, query = '') =>
    world.handle(new Request(`https://shop.example${path}${query}`, asking(init)))
  const bearer = (text: string) => ({ headers: { authorization: `Bearer ${text}` } })

  it.each(Object.entries(mounts))('answers through every mount: %s', async (_, mounted) => {
    await open()
    const { send } = (mount = await mounted(world))
    const answers = async (init?: RequestInit, query = '') => {
      const answer = await send(path + query, asking(init))
      return { status: answer.status, cache: answer.headers.get('cache-control') }
    }
    await world.runTask()
    expect(await answers(bearer(token))).toEqual({ status: 200, cache: 'no-store' })
    expect(await answers({}, `?token=${token}`)).toEqual({ status: 200, cache: 'no-store' })
    expect((await answers({ ...bearer(token), method: 'HEAD' })).status).toBe(200)
    expect((await answers(bearer(`${token}x`))).status).toBe(401)
    expect((await answers({}, '?token=')).status).toBe(401)
    expect((await answers()).status).toBe(401)
  })

  it('says what is wrong since when, and no more', async () => {
    await open()
    const none = { lastPull: null, lastRun: expect.any(String) as string, lastDelivery: null }
    await world.runTask()
    const checkedAt = () => new Date().toISOString()
    expect(await (await ask(bearer(token))).json()).toEqual({
      status: 'ok',
      checkedAt: checkedAt(),
      alerts: [],
      ...none,
    })
    await saveOrder(world.payload, anOrder({ shippingAddress: anAddress({ city: '' }) }))
    await world.handle(exportRequest())
    const pulledAt = checkedAt()
    await world.pass(1)
    const answer = await ask(bearer(token))
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({
      status: 'alert',
      checkedAt: checkedAt(),
      alerts: [{ condition: 'ordersSkipped', since: checkedAt() }],
      ...none,
      lastPull: pulledAt,
    })
  })

  it('is no such action without a token in the settings', async () => {
    await open({ settings: { healthToken: '', recipients: ['merchant@shop.example'] } })
    await world.runTask()
    expect((await ask(bearer(token))).status).toBe(404)
    expect((await ask({}, '?token=')).status).toBe(404)
    await world.saveSettings({ healthToken: 'another' })
    expect((await ask(bearer('another'))).status).toBe(200)
    const posted = await ask({ ...bearer('another'), method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('does not call a store healthy that nobody watches', async () => {
    await open()
    const answer = await ask(bearer(token))
    expect([answer.status, await answer.json()]).toMatchObject([503, { status: 'unwatched' }])
    await world.runTask()
    expect((await ask(bearer(token))).status).toBe(200)
    world.move(3 * 60 * 60_000)
    expect((await ask(bearer(token))).status).toBe(503)
  })

  it('answers the right token however many wrong ones came before, and throttles those', async () => {
    await open()
    await world.runTask()
    const statuses: number[] = []
    for (let tries = 0; tries <= triedLoginsPerAccount; tries++) {
      statuses.push((await ask(bearer(`wrong ${tries}`))).status)
    }
    expect(statuses.slice(0, -1).every((status) => status === 401)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
    expect((await ask(bearer(token))).status).toBe(200)
  })
})
