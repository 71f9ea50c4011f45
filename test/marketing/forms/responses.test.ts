import { beforeEach, describe, expect, it, vi } from 'vitest'
import { shopOrigin, signed } from '../../support/browser.js'
import { marketingDoor, type MarketingDoor } from './marketing-door.js'

const door = marketingDoor()
beforeEach(() => door.parts.postThrottle.flush())

const fields = { email: 'ann@shop.example' }
const both = ['identify', 'track'] as const
const ajax = { headers: { 'x-requested-with': 'XMLHttpRequest' } }

describe.each(both)('%s', (action) => {
  const send = (...args: Parameters<MarketingDoor['identify']>) => door[action](...args)
  /** Where a visitor is sent who posts from this page, or whose form says where. */
  const locationOf = async (
    posted: Record<string, string>,
    { referer, redirect }: { referer?: string; redirect?: string },
  ) => {
    const response = await send(
      { ...posted, ...(redirect !== undefined && { redirect: signed(door, redirect) }) },
      { headers: { ...(referer !== undefined && { referer }) } },
    )
    expect(response.status).toBe(303)
    return new URL(response.headers.get('location') ?? '', shopOrigin).href
  }

  it('requires POST: a non-POST is 405', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const response = await send({}, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('POST')
    }
  })

  it('requires the CSRF token: missing or wrong is 400 and nothing is queued', async () => {
    for (const token of [null, '', 'wrong']) {
      const response = await send(fields, { token })
      expect(response.status).toBe(400)
      expect(response.headers.get('x-error-code')).toBe('CSRF_INVALID')
    }
    expect(await door.sends()).toEqual([])
  })

  it('Logged-out visitors may post to either; for an Ajax request that does not forward, both actions return the JSON string "success"', async () => {
    expect((await send(fields)).status).toBe(303)
    expect(await door.sends()).toHaveLength(1)
    for (const options of [ajax, { headers: { accept: 'application/json' } }]) {
      const response = await send(fields, options)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toContain('application/json')
      expect(await response.text()).toBe('"success"')
    }
  })

  it('redirect: where to send the visitor afterwards; a bad redirect is 400 and nothing is queued', async () => {
    const bad = await send({ ...fields, redirect: 'https://evil.example/' })
    expect(bad.status).toBe(400)
    expect(await door.sends()).toEqual([])
    expect(await locationOf(fields, { redirect: '/thanks?from=form' })).toBe(
      `${shopOrigin}/thanks?from=form`,
    )
    expect(await door.sends()).toHaveLength(1)
  })

  it('With neither redirect nor forward and no Ajax: back to the same-shopOrigin page that posted, else to the site’s base URL', async () => {
    const referer = `${shopOrigin}/blog?page=2`
    expect(await locationOf(fields, { referer })).toBe(referer)
    expect(await locationOf(fields, { referer: 'https://evil.example/blog' })).toBe(
      `${shopOrigin}/`,
    )
  })

  it('forward: a controller action path run after sends are queued, which receives the same POST parameters and returns the response', async () => {
    const response = await send({ ...fields, forward: 'shop/look', qty: '2' }, ajax)
    expect(response.status).toBe(201)
    expect(await response.json()).toEqual({ looked: true })
    expect(await door.sends()).toHaveLength(1)
    expect(door.forwarded.map(({ qty }) => qty)).toEqual(['2'])
  })

  it('does not forward what it could not store: 500, and nothing is acknowledged', async () => {
    vi.spyOn(door.parts.outbox, 'store').mockRejectedValueOnce(new Error('disk full'))
    const response = await send({ ...fields, forward: 'shop/look' }, ajax)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('disk')
    expect(door.forwarded).toEqual([])
    expect(door.log.lines().filter(({ level }) => level === 50)).toHaveLength(1)
  })

  it('asks an address that posts more often than the settings allow to wait: 429, nothing queued or forwarded', async () => {
    await door.setSettings({ postsPerAddress: 1, postsPerNetwork: 0 })
    const from = (address?: string) =>
      send({ ...fields, forward: 'shop/look' }, { ...(address && { address }) })
    await from('192.0.2.1')
    await door.clear()
    const response = await from('192.0.2.1')
    expect(response.status).toBe(429)
    expect(response.headers.get('x-error-code')).toBe('POSTS_THROTTLED')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(await door.sends()).toEqual([])
    expect(door.forwarded).toEqual([])

    expect((await from('192.0.2.2')).status).toBe(201)
    expect((await from(undefined)).status).toBe(201)
    expect(await door.sends()).toHaveLength(1)
  })

  it('asks a network that posts more often than the settings allow to wait, and obeys a changed limit at once', async () => {
    const status = async (address: string) => (await send(fields, { address })).status
    await door.setSettings({ postsPerAddress: 0, postsPerNetwork: 2 })
    const statuses: number[] = []
    for (const host of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '198.51.100.1']) {
      statuses.push(await status(host))
    }
    expect(statuses).toEqual([303, 303, 429, 303])
    await door.setSettings({ postsPerAddress: 0, postsPerNetwork: 0 })
    expect(await status('192.0.2.3')).toBe(303)
  })

  it('answers a robot as if all were well and queues nothing', async () => {
    const filledIn = await send({ ...fields, homepage: 'https://spam.example' }, ajax)
    expect(await filledIn.text()).toBe('"success"')
    const tooFast = await send(fields, { ...ajax, guard: { minimumSeconds: 3 } })
    expect(await tooFast.text()).toBe('"success"')
    expect(await door.sends()).toEqual([])
    expect(door.log.lines().map(({ level }) => level)).toEqual([30, 30])
  })

  it('logs nothing of what was posted', async () => {
    await send({
      ...fields,
      'profile[email]': 'secret@',
      'profile[Unknown]': 'secret',
      'event[name]': 'Secret',
      'event[value]': 'secret',
    })
    expect(door.log.lines().filter(({ level }) => level === 40)).toHaveLength(1)
    expect(door.log.text().toLowerCase()).not.toContain('secret')
  })
})

it('300 posts from one address leave a neighbour of its network their own', async () => {
  await door.setSettings({ postsPerAddress: 60, postsPerNetwork: 300 })
  const statuses = new Map<number, number>()
  for (let count = 0; count < 300; count += 1) {
    const { status } = await door.identify({}, { address: '203.0.113.1' })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses]).toEqual([
    [303, 60],
    [429, 240],
  ])
  const neighbour = await door.identify(fields, { address: '203.0.113.2' })
  expect(neighbour.status).toBe(303)
  expect(await door.only('identify')).toHaveLength(1)
})
