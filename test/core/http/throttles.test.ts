import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { realEffects } from '../../../src/core/effects.js'
import {
  triedLoginsPerAccount,
  triedLoginsPerMinute,
} from '../../../src/core/http/login-throttle.js'
import { partsOf } from '../../support/parts.js'
import { captureLog } from '../../support/captured-log.js'
import { anyKind, joinStore, openStore, type TestStore } from '../../support/store.js'

const limits = { postsPerAddress: 3, postsPerNetwork: 5 }
const log = captureLog()
let now = new Date('2026-03-10T12:00:00Z')
const later = (ms: number) => (now = new Date(now.getTime() + ms))
const after = vi.fn(realEffects.after)
let store: TestStore
let other: TestStore

beforeAll(async () => {
  const setup = { config: log.config, effects: { now: () => now, after } }
  store = await openStore(anyKind, setup)
  other = await joinStore(anyKind, store.url, setup)
})
afterAll(async () => {
  await other.close()
  await store.close()
})
beforeEach(async () => {
  await share()
  later(3_600_000)
  after.mockClear()
  log.clear()
})

const loginsOf = ({ payload }: TestStore) => partsOf(payload).shippingThrottle
const postsOf = ({ payload }: TestStore) => partsOf(payload).postThrottle
const share = async () => {
  for (const process of [store, other]) await postsOf(process).flush()
}
const times = <Item>(count: number, item: Item) => Array<Item>(count).fill(item)

describe('The throttle of logins', () => {
  /** The seconds to wait. Every try is for another account, unless it says which. */
  async function fail(tries: number, clientIp?: string, account?: string): Promise<number[]> {
    const waits: number[] = []
    for (let count = 0; count < tries; count += 1) {
      const login = { clientIp, account: account ?? `account-${count}` }
      waits.push(await loginsOf(store).try(login))
    }
    return waits
  }

  it('lets an address fail ten times a minute, and says how many seconds are left', async () => {
    expect(triedLoginsPerMinute).toBe(10)
    expect(await fail(12, '192.0.2.1')).toEqual([...times(10, 0), 60, 60])
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
      await loginsOf(store).succeeded({ clientIp: '192.0.2.1', account: 'a' })
    }
  })

  it('lets an account be tried thirty times a minute, from whatever addresses or none', async () => {
    expect(triedLoginsPerAccount).toBe(30)
    expect(await fail(32, undefined, 'ada')).toEqual([...times(30, 0), 60, 60])
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
    expect(await loginsOf(other).try({ clientIp: '192.0.2.1', account: 'a' })).toBe(60)
    const login = { email: 'nobody@shop.example', password: 'x' }
    const answer = await other.aBrowser().post('/actions/users/login', login, {
      ajax: true,
      address: '192.0.2.1',
    })
    expect(answer.status).toBe(401)
  })

  it('writes kinds of tries also far beyond the limit, but seldom', async () => {
    const add = vi.spyOn(partsOf(store.payload).counts, 'add')
    const tryKind = (kind: string) =>
      loginsOf(store).try({ clientIp: undefined, account: 'ada', kind })
    await fail(1000, undefined, 'ben')
    expect(add).toHaveBeenCalledTimes(2 * triedLoginsPerAccount)
    for (let tries = 0; tries < 1000; tries += 1) await tryKind('other')
    add.mockClear()
    await tryKind('named')
    expect(await loginsOf(store).lastOfKind('named')).toBeUndefined()
    for (let tries = 0; tries < triedLoginsPerAccount; tries += 1) await tryKind('other')
    expect(await loginsOf(store).lastOfKind('named')).toEqual(now)
    expect(add).toHaveBeenCalledTimes(2)
    add.mockRestore()
  })

  it('goes on in memory while the shared counts fail, and says so', async () => {
    await fail(5, '192.0.2.1')
    const failing = vi
      .spyOn(partsOf(store.payload).counts, 'add')
      .mockRejectedValue(new Error('The database is gone'))
    expect(await fail(6, '192.0.2.1')).toEqual([...times(5, 0), 60])
    failing.mockRestore()
    expect(new Set(log.lines().map(({ msg }) => msg))).toEqual(
      new Set(['Logins are counted in memory alone']),
    )
  })
})

describe('The throttle of posts', () => {
  /** The seconds that each address has to wait. */
  const post = (addresses: readonly (string | undefined)[], settings = limits, process = store) =>
    addresses.map((address) => postsOf(process).secondsToWait(address, settings))

  it('says how many seconds are left of the minute, and takes posts when it is over', () => {
    expect(post(times(4, '192.0.2.1'))).toEqual([0, 0, 0, 60])
    later(45_000)
    expect(post(['192.0.2.1'])).toEqual([15])
    later(15_001)
    expect(post(['192.0.2.1'])).toEqual([0])
  })

  it.each([
    [
      'a network of IPv6',
      ['1', '2', '3', '4', '5', '6', '0:1::1'].map((host) =>
        host.includes(':') ? `2001:db8:${host}` : `2001:db8::${host}`,
      ),
      [0, 0, 0, 0, 0, 60, 0],
    ],
    [
      'one address in all its spellings',
      ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:c000:0201'],
      [0, 0, 0, 60],
    ],
    [
      'those whose address is unknown like twenty networks together',
      [...times(50, undefined), ...times(50, 'no address'), undefined, '192.0.2.1'],
      [...times(100, 0), 60, 0],
    ],
  ])('counts %s', (_what, addresses, waits) => {
    expect(post(addresses)).toEqual(waits)
  })

  it('lets everybody post when the limits are 0', () => {
    const unlimited = { postsPerAddress: 0, postsPerNetwork: 0 }
    expect(post([...times(200, '192.0.2.1'), ...times(200, undefined)], unlimited)).toEqual(
      times(400, 0),
    )
  })

  it('shares its counts with the other processes, in one write a second', async () => {
    expect(post(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])).toEqual(times(4, 0))
    expect(post(['192.0.2.1'], limits, other)).toEqual([0])
    expect(after.mock.calls.filter(([ms]) => ms === 1_000)).toHaveLength(2)
    await share()
    // Five of the network by now, as the one that shared last knows.
    expect(post(['192.0.2.9'], limits, other)).toEqual([60])
  })

  it('goes on in memory while the shared counts fail, and says so', async () => {
    const { counts } = partsOf(store.payload)
    const failing = vi.spyOn(counts, 'add').mockRejectedValue(new Error('The database is gone'))
    expect(post(times(2, '192.0.2.1'))).toEqual([0, 0])
    await postsOf(store).flush()
    expect(post(times(2, '192.0.2.1'))).toEqual([0, 60])
    failing.mockRestore()
    expect(log.lines().map(({ msg }) => msg)).toEqual(['Posts are counted in memory alone'])
  })
})
