import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { triedLoginsPerAccount, triedLoginsPerMinute } from '../../src/http/login-throttle.js'
import { partsOf } from '../../src/installation.js'
import { captureLog } from '../support/captured-log.js'
import { anyKind, joinStore, openStore, type TestStore } from '../support/store.js'
import { openVisitorBrowser } from '../support/visitor-browser.js'

describe('The throttle of logins', () => {
  const log = captureLog()
  let now = new Date('2026-03-10T12:00:00Z')
  const later = (ms: number) => (now = new Date(now.getTime() + ms))
  let store: TestStore
  let other: TestStore

  beforeAll(async () => {
    const setup = { config: log.config, effects: { now: () => now } }
    store = await openStore(anyKind, setup)
    other = await joinStore(anyKind, store.url, setup)
  })
  afterAll(async () => {
    await other.close()
    await store.close()
  })
  beforeEach(() => {
    later(3_600_000)
    log.clear()
  })

  const throttleOf = ({ payload }: TestStore) => partsOf(payload).shippingThrottle
  /** The seconds to wait. Every try is for another account, unless it says which. */
  async function fail(times: number, clientIp?: string, account?: string): Promise<number[]> {
    const waits: number[] = []
    for (let count = 0; count < times; count += 1) {
      const login = { clientIp, account: account ?? `account-${count}` }
      waits.push(await throttleOf(store).try(login))
    }
    return waits
  }
  const zeros = (count: number) => Array<number>(count).fill(0)

  it('lets an address fail ten times a minute, and says how many seconds are left', async () => {
    expect(triedLoginsPerMinute).toBe(10)
    expect(await fail(12, '192.0.2.1')).toEqual([...zeros(10), 60, 60])
    later(45_000)
    expect(await fail(1, '192.0.2.1')).toEqual([15])
    later(15_001)
    expect(await fail(1, '192.0.2.1')).toEqual([0])
  })

  it('counts an address in all its spellings, and IPv6 by what one subscriber has', async () => {
    await fail(10, '192.0.2.1')
    expect(await fail(1, '::FFFF:c000:201')).toEqual([60])
    expect(await fail(1, '192.0.2.2', 'another')).toEqual([0])
    await fail(10, '2001:db8:1:2::1')
    expect(await fail(1, '2001:db8:1:2:ffff::9')).toEqual([60])
    expect(await fail(1, '2001:db8:1:3::1')).toEqual([0])
  })

  it('gives the count of a login that succeeds back, in any spelling', async () => {
    for (let tried = 0; tried <= triedLoginsPerAccount; tried += 1) {
      expect(await fail(1, '::ffff:192.0.2.1', 'a')).toEqual([0])
      await throttleOf(store).succeeded({ clientIp: '192.0.2.1', account: 'a' })
    }
  })

  it('lets an account be tried thirty times a minute, from whatever addresses or none', async () => {
    expect(triedLoginsPerAccount).toBe(30)
    expect(await fail(32, undefined, 'ada')).toEqual([...zeros(30), 60, 60])
    for (let host = 1; host <= 30; host += 1) {
      expect(await fail(1, `192.0.2.${host}`, 'ben')).toEqual([0])
    }
    expect(await fail(1, '198.51.100.1', 'ben')).toEqual([60])
    expect(await fail(1, '198.51.100.1', 'cleo')).toEqual([0])
  })

  it('does not count for the account what is refused by its address', async () => {
    await fail(200, '192.0.2.1', 'ada')
    expect(await fail(1, '192.0.2.2', 'ada')).toEqual([0])
  })

  it('counts over all processes, and each kind of login for itself', async () => {
    await fail(10, '192.0.2.1')
    expect(await throttleOf(other).try({ clientIp: '192.0.2.1', account: 'a' })).toBe(60)
    const login = { email: 'nobody@shop.example', password: 'x' }
    const answer = await openVisitorBrowser(other.handle).post('/actions/users/login', login, {
      ajax: true,
      address: '192.0.2.1',
    })
    expect(answer.status).toBe(401)
  })

  it('writes kinds of tries also far beyond the limit, but seldom', async () => {
    const add = vi.spyOn(partsOf(store.payload).counts, 'add')
    const tryKind = (kind: string) =>
      throttleOf(store).try({ clientIp: undefined, account: 'ada', kind })
    await fail(1000, undefined, 'ben')
    expect(add).toHaveBeenCalledTimes(2 * triedLoginsPerAccount)
    for (let tries = 0; tries < 1000; tries += 1) await tryKind('other')
    add.mockClear()
    await tryKind('named')
    expect(await throttleOf(store).lastOfKind('named')).toBeUndefined()
    for (let tries = 0; tries < triedLoginsPerAccount; tries += 1) await tryKind('other')
    expect(await throttleOf(store).lastOfKind('named')).toEqual(now)
    expect(add).toHaveBeenCalledTimes(2)
    add.mockRestore()
  })

  it('goes on in memory while the shared counts fail, and says so', async () => {
    await fail(5, '192.0.2.1')
    const failing = vi
      .spyOn(partsOf(store.payload).counts, 'add')
      .mockRejectedValue(new Error('The database is gone'))
    expect(await fail(6, '192.0.2.1')).toEqual([...zeros(5), 60])
    failing.mockRestore()
    expect(new Set(log.lines().map(({ msg }) => msg))).toEqual(
      new Set(['Logins are counted in memory alone']),
    )
  })
})
