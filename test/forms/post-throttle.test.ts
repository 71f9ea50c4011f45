import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { realEffects } from '../../src/effects.js'
import { partsOf } from '../../src/installation.js'
import { captureLog } from '../support/captured-log.js'
import { anyKind, joinStore, openStore, type TestStore } from '../support/store.js'

describe('The throttle of posts', () => {
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

  const throttleOf = ({ payload }: TestStore) => partsOf(payload).postThrottle
  const share = async () => {
    for (const process of [store, other]) await throttleOf(process).flush()
  }
  /** The seconds that each address has to wait. */
  const post = (addresses: readonly (string | undefined)[], settings = limits, process = store) =>
    addresses.map((address) => throttleOf(process).secondsToWait(address, settings))
  const times = <Item>(count: number, item: Item) => Array<Item>(count).fill(item)

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
    await throttleOf(store).flush()
    expect(post(times(2, '192.0.2.1'))).toEqual([0, 60])
    failing.mockRestore()
    expect(log.lines().map(({ msg }) => msg)).toEqual(['Posts are counted in memory alone'])
  })
})
