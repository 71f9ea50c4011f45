import { execFileSync } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey, type StandInOptions } from '../../../../dev/klaviyo/stand-in.ts'
import { anEvent, aProfile, aSubscription, paths } from './stand-in.fixture.js'

const open: ServedStandIn[] = []
afterEach(async () => {
  for (const served of open.splice(0)) await served.close()
})

async function serve(options: StandInOptions = {}) {
  const served = await serveKlaviyoStandIn({ port: 0, ...options })
  open.push(served)
  const { origin, standIn } = served
  return {
    origin,
    standIn,
    post: (path: string, body: unknown, signal?: AbortSignal) =>
      fetch(`${origin}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Klaviyo-API-Key ${demoApiKey}`,
          revision: '2026-07-15',
          'content-type': 'application/vnd.api+json',
        },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      }),
    press: (path: string, fields: Record<string, string> = {}, headers = {}) =>
      fetch(`${origin}${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
        headers,
      }),
    page: async () => (await fetch(origin)).text(),
  }
}

describe('The served stand-in', () => {
  it('breaks the connection', async () => {
    const { post } = await serve({ faults: [{ kind: 'reset' }] })
    await expect(post(paths.event, anEvent())).rejects.toThrow('fetch failed')
  })

  it('hangs until the caller gives up', async () => {
    const { post, standIn } = await serve({ faults: [{ kind: 'hang' }] })
    const patience = new AbortController()
    const answer = post(paths.event, anEvent(), patience.signal)
    await expect.poll(() => standIn.state.calls.length).toBe(1)
    patience.abort(new Error('enough'))
    await expect(answer).rejects.toThrow('enough')
  })

  it('serves nobody who has hung up before the call was read', async () => {
    const { origin, page, standIn } = await serve()
    const body = JSON.stringify(anEvent())
    const lines = [
      `POST ${paths.event} HTTP/1.1`,
      'host: localhost',
      `authorization: Klaviyo-API-Key ${demoApiKey}`,
      'revision: 2026-07-15',
      'content-type: application/vnd.api+json',
      `content-length: ${Buffer.byteLength(body)}`,
    ]
    const call = `${lines.join('\r\n')}\r\n\r\n${body}`
    const caller = `require('node:net').connect(${new URL(origin).port}, '127.0.0.1').end(${JSON.stringify(call)}, () => process.exit())`
    // Nothing is read here until the caller has gone.
    execFileSync(process.execPath, ['-e', caller])
    await page()
    expect(standIn.state.calls).toEqual([])
  })

  it('breaks off in the middle of an answer', async () => {
    const { post } = await serve({ faults: [{ kind: 'truncate' }] })
    const answer = await post(paths.profile, { data: aProfile() })
    expect(answer.status).toBe(201)
    await expect(answer.text()).rejects.toThrow('terminated')
  })

  it('shows on its page what came in, and nothing of it as markup', async () => {
    const { post, page } = await serve()
    const profile = aProfile({ email: 'ada@shop.test', first_name: '<img src=x onerror=alert(1)>' })
    await post(paths.event, anEvent({}, profile))
    const text = await page()
    expect(text).toContain('ada@shop.test')
    expect(text).toContain('Placed Order')
    expect(text).toContain('kept in memory')
    expect(text).toContain('&lt;img src=x')
    expect(text).not.toContain('<img')
  })

  it('lets somebody confirm, and leave, by the buttons of its page', async () => {
    const { post, press, page, standIn } = await serve()
    await post(paths.subscribe, aSubscription([{ email: 'ada@shop.test' }], { list: 'NEWSLTR' }))
    const id = /action="\/confirm"[^]*?value="([^"]+)"/.exec(await page())?.[1] ?? ''
    expect((await press('/confirm', { id })).status).toBe(303)
    const ada = standIn.state.profileByEmail('ada@shop.test')
    expect(ada?.consent.email?.status).toBe('SUBSCRIBED')
    expect((await press('/confirm', { id })).status).toBe(404)
    await press('/unsubscribe', { id: ada?.id ?? '' })
    expect(ada?.consent.email?.status).toBe('UNSUBSCRIBED')
    expect(standIn.state.lists.get('NEWSLTR')?.members.size).toBe(0)
  })

  it('takes no orders from the page of another site', async () => {
    const { press, standIn } = await serve()
    const answer = await press('/faults/add', { kind: 'hang' }, { origin: 'https://evil.test' })
    expect(answer.status).toBe(403)
    expect(standIn.faults.active).toEqual([])
  })

  it('gives everything as JSON', async () => {
    const { origin, post } = await serve()
    const answer = await post(paths.event, anEvent())
    expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([202, '3500'])
    expect(await (await fetch(`${origin}/state.json`)).json()).toMatchObject({
      profiles: [{ attributes: { email: 'ada@shop.test' } }],
      events: [{ uniqueId: 'order-1' }],
      calls: [{ name: 'event', status: 202 }],
    })
  })
})
