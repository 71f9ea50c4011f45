import { afterEach, describe, expect, it } from 'vitest'
import type { StoredAlertSettings } from '../../../src/merchant/alerts/alert-settings.js'
import { triedLoginsPerAccount } from '../../../src/core/http/login-throttle.js'
import { beforeStatements } from '../../support/before-statements.js'
import { basic, exportRequest } from '../../support/shipping-requests.js'
import { anyKind } from '../../support/store.js'
import { only, openAlertWorld, type AlertWorld } from './alert-world.js'

describe('Refused logins of ShipStation', () => {
  let world: AlertWorld
  afterEach(() => world.close())

  const open = async (settings: Partial<StoredAlertSettings> = {}) => {
    world = await openAlertWorld(anyKind, {
      settings: { ...only('credentialsRefused'), digest: false, ...settings },
    })
  }
  const subjects = () => world.mails.map(({ subject }) => subject)
  const tryLogin = async (username: string, password = 'of yesterday') => {
    const headers = { authorization: basic(username, password) }
    const answer = await world.handle(exportRequest({}, { headers }))
    expect(answer.status).toBeGreaterThanOrEqual(401)
    return answer
  }

  it('count with the name of ShipStation alone, also where a task looks now and then, and the alert says what was seen', async () => {
    await open({ healthToken: 'token' })
    await world.handle(exportRequest())
    await world.pass(61, 61)
    for (const username of ['', 'admin', 'Ship', 'ship ', 'shi', 'ships']) await tryLogin(username)
    await world.pass(60, 20)
    expect(subjects()).toEqual([])
    await tryLogin('ship')
    world.move(30 * 60_000)
    // The throttles forget what is over when they count again.
    const health = 'https://shop.example/actions/storeconnect/health?token=wrong'
    expect((await world.handle(new Request(health))).status).toBe(401)
    await world.runTask()
    expect(subjects()).toEqual([
      "A login with ShipStation's username was refused: Nov 23, 2026, 2:01 PM (UTC). ShipStation last got in: Nov 23, 2026, 12:00 PM (UTC).",
    ])
  })

  it('count in a store that was never pulled', async () => {
    await open()
    await tryLogin('ship')
    await world.pass(1)
    expect(subjects()).toEqual([
      "A login with ShipStation's username was refused: Nov 23, 2026, 12:00 PM (UTC). ShipStation last got in: Never.",
    ])
    await world.pass(120, 60)
    await world.handle(exportRequest())
    await world.pass(1)
    expect(subjects().slice(1)).toEqual([
      'ShipStation asked for orders: Nov 23, 2026, 2:01 PM (UTC).',
    ])
  })

  it('do not count in a store without a username, with no name either', async () => {
    await open()
    await world.payload.updateGlobal({ slug: 'shipping-settings', data: { username: '' } })
    await tryLogin('')
    await tryLogin('ship')
    await world.pass(120, 60)
    expect(subjects()).toEqual([])
  })

  it.each([triedLoginsPerAccount + 5, 2 * triedLoginsPerAccount + 5])(
    'count also when strangers try so often that they have to wait: %i times',
    async (often) => {
      await open()
      for (let tries = 0; tries < often; tries++) await tryLogin('stranger')
      expect((await tryLogin('ship')).status).toBe(429)
      for (let tries = 0; tries < triedLoginsPerAccount; tries++) await tryLogin('stranger')
      await world.pass(1)
      expect(subjects()).toHaveLength(1)
    },
  )

  it('are answered alike, and cost the same, whatever the name', async () => {
    await open()
    const seen = async (username: string) => {
      const statements: string[] = []
      const end = beforeStatements(world.payload, (given) => {
        const { sql, text } = given as { sql?: string; text?: string }
        statements.push(sql ?? text ?? String(given))
      })
      const { status, headers, body } = await tryLogin(username)
      end()
      const named = [...headers].filter(([name]) => name !== 'x-request-id')
      const text = (await new Response(body).text()).replaceAll(/[\da-f-]{36}/g, 'id')
      return { status, named, text, statements }
    }
    await tryLogin('warm')
    const right = await seen('ship')
    expect(right.statements.length).toBeGreaterThan(0)
    expect(await seen('stranger')).toEqual(right)
  })
})
