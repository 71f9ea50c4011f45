import { afterEach, describe, expect, it } from 'vitest'
import { triedLoginsPerAccount } from '../../src/http/login-throttle.js'
import { beforeStatements } from '../support/before-statements.js'
import { basic, exportRequest } from '../support/shipping-requests.js'
import { databaseKinds } from '../support/store.js'
import { only, openAlertWorld, type AlertWorld } from './alert-world.js'

describe.each(databaseKinds)('Refused logins of ShipStation (%s)', (kind) => {
  let world: AlertWorld
  afterEach(() => world.close())

  const open = async () => {
    world = await openAlertWorld(kind, {
      settings: { ...only('credentialsRefused'), digest: false },
    })
  }
  const subjects = () => world.mails.map(({ subject }) => subject)
  const tryLogin = async (username: string, password = 'of yesterday') => {
    const headers = { authorization: basic(username, password) }
    const answer = await world.store.handle(exportRequest({}, { headers }))
    expect(answer.status).toBeGreaterThanOrEqual(401)
    return answer
  }

  it.each(['', 'admin', 'Ship', 'ship ', 'shi', 'ships'])(
    'do not count with another name: %j',
    async (username) => {
      await open()
      await world.store.handle(exportRequest())
      await world.pass(61, 61)
      await tryLogin(username)
      await world.pass(120, 20)
      expect(subjects()).toEqual([])
    },
  )

  it('count with the name of ShipStation, and the alert says what was seen', async () => {
    await open()
    await world.store.handle(exportRequest())
    await world.pass(61, 61)
    await tryLogin('ship')
    await world.pass(1)
    expect(subjects()).toEqual([
      "A login with ShipStation's username was refused: Nov 23, 2026, 1:01 PM (UTC). ShipStation last got in: Nov 23, 2026, 12:00 PM (UTC).",
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
    await world.store.handle(exportRequest())
    await world.pass(1)
    expect(subjects().slice(1)).toEqual([
      'ShipStation asked for orders: Nov 23, 2026, 2:01 PM (UTC).',
    ])
  })

  it('do not count in a store without a username, with no name either', async () => {
    await open()
    await world.store.payload.updateGlobal({ slug: 'shipping-settings', data: { username: '' } })
    await tryLogin('')
    await tryLogin('ship')
    await world.pass(120, 60)
    expect(subjects()).toEqual([])
  })

  it('count also when strangers try so often that they have to wait', async () => {
    await open()
    for (let tries = 0; tries < triedLoginsPerAccount + 5; tries++) await tryLogin('stranger')
    expect((await tryLogin('ship')).status).toBe(429)
    await world.pass(1)
    expect(subjects()).toHaveLength(1)
  })

  it('are answered alike, and cost the same, whatever the name', async () => {
    await open()
    const seen = async (username: string) => {
      const statements: string[] = []
      const end = beforeStatements(world.store.payload, (given) => {
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
