import { randomUUID } from 'node:crypto'
import { Session } from 'node:inspector/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { restoreWorld, linkTo } from '../carts/restore/restore-world.js'
import type { TestBrowser } from '../support/browser.js'
import { anOrder } from '../support/orders.js'
import { anyKind } from '../support/store.js'
import { basic, exportRequest } from '../support/shipping-requests.js'

/** What a newcomer reads to follow one request: the files of which a function runs. */
describe('The source that runs', () => {
  const world = restoreWorld(anyKind)
  let visitor: TestBrowser
  let link = ''

  beforeAll(async () => {
    const settings = { username: 'ship', password: 'a password' }
    await world.payload.updateGlobal({ slug: 'shipping-settings', data: settings })
    await world.payload.create({ collection: 'orders', data: anOrder() })
    visitor = world.aBrowser()
    link = linkTo(await world.leave())
  })

  const headers = { authorization: basic('ship', 'a password') }
  const identify = () => {
    const email = `${randomUUID()}@shop.example`
    return visitor.post('/actions/marketingconnect/api/identify', { email }, { ajax: true })
  }

  const limits = {
    'an export page': 49,
    'a form post': 62,
    'a stored send': 75,
    'a restored cart': 34,
  }
  const works: Record<keyof typeof limits, () => Promise<unknown>> = {
    'an export page': () => world.handle(exportRequest({}, { headers })),
    'a form post': identify,
    'a stored send': () => world.deliver(),
    'a restored cart': () => world.aBrowser().get(link),
  }
  const names = Object.keys(limits) as (keyof typeof limits)[]

  it.each(names)('for %s is in few files, and in five rooms at most', async (name) => {
    const work = works[name]
    await identify()
    // The first time, a process makes what it keeps.
    await work()
    if (name === 'a stored send') await identify()
    const files = await filesOf(work)
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(limits[name])
    expect(files).not.toEqual([])
    expect(new Set(files.map((file) => file.split('/')[0])).size).toBeLessThanOrEqual(5)
  })
})

/** The files below `src` of which a function runs meanwhile. */
async function filesOf(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .flatMap(({ url }) => /\/src\/(.*\.tsx?)$/.exec(url)?.[1] ?? [])
    .sort()
}
