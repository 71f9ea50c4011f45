import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/klaviyo/platform.js'
import { anEvent, anIdentify, aPastEvent } from '../../support/messages.js'
import { drainWorlds, worldStart } from './drain-world.js'
import { networkDown } from './model-platform.js'

const drainWorld = drainWorlds()
/** `OUTAGE_HOURS=72 npx vitest run test/delivery/drain/drain.test.ts` is days long. */
const outageHours = Number(process.env.OUTAGE_HOURS ?? 2)
/** In a short one, a process looks only now and then, as a task that is run every hour. */
const leastStepMs = outageHours < 72 ? 3_600_000 : 0
const peopleInOutage = outageHours < 72 ? 100 : 500
const second = 1_000
const hour = 3_600 * second

const refusedAt = (pointer?: string): Outcome => ({
  is: 'refused',
  error: { code: 'invalid', detail: 'Invalid.', status: 400, ...(pointer && { pointer }) },
})

describe('a drain with few sends waiting', () => {
  it('sends each at once in a call of its own', async () => {
    const { store, drain, platform, counts } = await drainWorld()
    await store(anEvent('a@x.io', '1'), anEvent('b@x.io', '1'), anIdentify('c@x.io'))
    await drain.pass()
    expect(platform.calls.map(({ name }) => name).sort()).toEqual(['event', 'event', 'profile'])
    expect(await counts()).toEqual({ sent: 3 })
  })

  it("keeps each profile's order", async () => {
    const { store, runUntil, platform } = await drainWorld()
    await store(
      anEvent('a@x.io', '1'),
      anIdentify('a@x.io', { properties: { step: 2 } }),
      anIdentify('a@x.io', { properties: { step: 3 } }),
      anEvent('a@x.io', '4'),
      anIdentify('a@x.io', { properties: { step: 5 } }),
    )
    await runUntil(worldStart + 10 * second)
    expect(platform.effects.map(({ what }) => what)).toEqual(['1', 'step 3', '4', 'step 5'])
  })

  it('joins what identifies say with the event of the same profile, in one call', async () => {
    const { store, drain, platform, counts } = await drainWorld()
    await store(
      anIdentify('a@x.io', { firstName: 'Ann', lastName: 'Old' }),
      anEvent('a@x.io', '1', { lastName: 'New' }),
    )
    // All kinds of calls are polled at the same time; here the events come first.
    await drain.pass()
    expect(platform.profiles.get('a@x.io')).toMatchObject({ firstName: 'Ann', lastName: 'New' })
    expect(await counts()).toEqual({ sent: 2 })
  })

  it('says nothing of a person in the log, and never the key', async () => {
    const { store, drain, lines, platform } = await drainWorld()
    platform.trouble = () => networkDown
    await store(anEvent('a@x.io', '1'))
    await drain.pass()
    expect(lines).toContainEqual({
      level: 'info',
      fields: { call: 'event', items: 1, milliseconds: 0, later: 1, code: 'NETWORK' },
      sentence: 'Platform called',
    })
    expect(JSON.stringify(lines)).not.toMatch(/a@x\.io|"key"/)
  })
})

describe('a drain with many sends waiting', () => {
  it('sends a thousand events in a call', async () => {
    const { store, drain, platform } = await drainWorld()
    await store(...Array.from({ length: 2_000 }, (_, n) => anEvent(`p${n}@x.io`, '1')))
    await drain.pass()
    expect(platform.calls.map(({ name, items }) => [name, items])).toEqual([
      ['events', 1_000],
      ['events', 1_000],
    ])
  })

  it('waits a second for more sends when they fill no call', async () => {
    const { store, drain, platform, runUntil } = await drainWorld()
    await store(...Array.from({ length: 100 }, (_, n) => anEvent(`p${n}@x.io`, '1')))
    await expect(drain.pass()).resolves.toMatchObject({ nextAt: new Date(worldStart + second) })
    await runUntil(worldStart + second)
    expect(platform.calls.map(({ name, items }) => [name, items])).toEqual([['events', 100]])
  })

  it('lets poison in batches of a thousand cost only itself', async () => {
    const { store, runUntil, platform, counts, rows } = await drainWorld()
    const poison = new Set([17, 1_500, 1_501, 2_999].map((n) => `p${n}@x.io`))
    platform.trouble = ({ profiles }) => {
      if (!profiles.some(({ email = '' }) => poison.has(email))) return undefined
      const { error } = refusedAt('/data') as Outcome & { is: 'refused' }
      return profiles.length === 1 ? { is: 'refused', error } : { is: 'culpritUnknown', error }
    }
    await store(...Array.from({ length: 3_000 }, (_, n) => anEvent(`p${n}@x.io`, '1')))
    await runUntil(worldStart + 300 * second)
    const failed = (await rows()).filter(({ state }) => state === 'failed')
    expect(new Set(failed.map(({ email }) => email))).toEqual(poison)
    expect(await counts()).toEqual({ sent: 2_996, failed: 4 })
    expect((await rows()).every(({ attempts }) => attempts === 0)).toBe(true)
  })
})

describe('an event of now beside 3,000 of the past', () => {
  it('goes out at once', async () => {
    const { store, runUntil, drain, platform, now, counts } = await drainWorld()
    await store(...Array.from({ length: 3_000 }, (_, n) => aPastEvent(`p${n}@x.io`, `past ${n}`)))
    await drain.pass()
    // One of those who were customers then.
    await store(anEvent('p2999@x.io', 'of now'))
    await drain.pass()
    expect(platform.calls.at(-1)).toEqual({ name: 'event', at: now(), items: 1, status: 'taken' })
    expect(platform.effects.at(-1)).toEqual({ person: 'p2999@x.io', what: 'of now' })
    expect(await counts()).toMatchObject({ queued: 2_000 })

    await runUntil(worldStart + 10 * second)
    expect(await counts()).toEqual({ sent: 3_001 })
  })
})

describe('a refused event', () => {
  it('does not take down the identify that was joined with it', async () => {
    const { store, runUntil, platform, rows } = await drainWorld()
    platform.trouble = ({ messages }) =>
      messages.length > 0 ? refusedAt('/data/attributes/value') : undefined
    await store(anIdentify('a@x.io', { firstName: 'Ann' }), anEvent('a@x.io', '1'))
    await runUntil(worldStart + 60 * second)
    expect((await rows()).map(({ state }) => state)).toEqual(['sent', 'failed'])
    expect(platform.profiles.get('a@x.io')).toMatchObject({ firstName: 'Ann' })
  })

  it('is found out alone when its profile, joined from several, may be what is refused', async () => {
    const { store, runUntil, platform, rows } = await drainWorld()
    platform.trouble = ({ profiles }) =>
      profiles.some(({ title }) => title === 'bad')
        ? refusedAt('/data/attributes/profile/data/attributes/title')
        : undefined
    await store(anIdentify('a@x.io', { title: 'bad' }), anEvent('a@x.io', '1'))
    await runUntil(worldStart + 60 * second)
    expect((await rows()).map(({ state }) => state)).toEqual(['failed', 'sent'])
  })
})

describe('a refused profile', () => {
  it('takes down no earlier event of it that is repeated', async () => {
    const { store, runUntil, platform, rows } = await drainWorld()
    platform.trouble = ({ at, profiles }) => {
      if (at < worldStart + 2 * second) return networkDown
      if (!profiles.some(({ title }) => title === 'bad')) return undefined
      const refused = refusedAt('/data/attributes/profile/data/attributes/title')
      if (profiles.length === 1 || refused.is !== 'refused') return refused
      return { is: 'culpritUnknown', error: refused.error }
    }
    const others = Array.from({ length: 30 }, (_, n) => anEvent(`p${n}@x.io`, '1'))
    await store(anEvent('a@x.io', '1'), anEvent('a@x.io', '2', { title: 'bad' }), ...others)
    await runUntil(worldStart + hour)
    const states = (await rows()).map(({ state }) => state)
    expect(states).toEqual(['sent', 'failed', ...others.map(() => 'sent')])
  })
})

describe('a drain whose key is refused', () => {
  it('pauses everything, is tried with one call at a time, and costs no send a try', async () => {
    const { store, runUntil, platform, counts, rows, drain, lines } = await drainWorld()
    platform.apiKey = 'another'
    await store(anEvent('a@x.io', '1'), anEvent('b@x.io', '1'), anIdentify('c@x.io'))
    await runUntil(worldStart + 10 * 60 * second)
    expect(await counts()).toEqual({ queued: 3 })
    expect((await rows()).every(({ attempts }) => attempts === 0)).toBe(true)
    expect(platform.calls.length).toBeLessThan(60)
    expect((await drain.status()).pauses).toContainEqual(
      expect.objectContaining({ call: 'events', reason: 'misconfigured' }),
    )
    expect(lines.some(({ level, fields }) => level === 'warn' && fields.reason)).toBe(true)

    platform.apiKey = 'key'
    await runUntil(worldStart + 12 * 60 * second)
    expect(await counts()).toEqual({ sent: 3 })
    expect((await drain.status()).pauses.filter(({ call }) => call === 'event')).toEqual([])
  })

  it('goes on at once when the merchant saves another key', async () => {
    const { store, drain, platform, counts, settings } = await drainWorld()
    platform.apiKey = 'mended'
    await store(anEvent('a@x.io', '1'))
    await drain.pass()
    settings.privateApiKey = 'mended'
    await drain.pass()
    expect(await counts()).toEqual({ sent: 1 })
  })

  it('lets sends wait, and says so, while there is none', async () => {
    const { store, runUntil, platform, counts, drain, settings } = await drainWorld()
    Object.assign(settings, { privateApiKey: '', keyProblem: 'missing' })
    await store(anEvent('a@x.io', '1'))
    await runUntil(worldStart + 6 * 24 * hour)
    expect([platform.calls, await counts()]).toEqual([[], { queued: 1 }])
    await expect(drain.status()).resolves.toMatchObject({ keyProblem: 'missing' })

    Object.assign(settings, { privateApiKey: 'key', keyProblem: undefined })
    await runUntil(worldStart + 6 * 24 * hour + 10 * second)
    expect(await counts()).toEqual({ sent: 1 })
  })
})

describe('a drain that is asked to wait', () => {
  it('calls nobody again before Retry-After, and counts no try for a 429', async () => {
    const { store, runUntil, platform, counts, rows } = await drainWorld()
    const until = worldStart + 40 * second
    const error = { code: 'throttled', detail: 'Wait.', status: 429 }
    platform.trouble = ({ at }) =>
      at < until ? { is: 'later', error, afterSeconds: 40, costsAttempt: false } : undefined
    await store(anEvent('a@x.io', '1'), anEvent('b@x.io', '1'))
    await runUntil(worldStart + 90 * second)
    expect(await counts()).toEqual({ sent: 2 })
    expect((await rows()).every(({ attempts }) => attempts === 0)).toBe(true)
    const later = platform.calls.filter(({ status }) => status === 'taken')
    expect(later.every(({ at }) => at >= until)).toBe(true)
    expect(platform.count('failed')).toBe(2)
  })

  it('takes Retry-After as a floor for the next try of a send', async () => {
    const { store, runUntil, platform, rows } = await drainWorld()
    platform.trouble = () => ({ ...networkDown, afterSeconds: 500 }) as Outcome
    await store(anEvent('a@x.io', '1'))
    await runUntil(worldStart + 499 * second)
    expect(platform.calls).toHaveLength(1)
    expect((await rows())[0]).toMatchObject({ attempts: 1, dueAt: worldStart + 500 * second })
  })
})

describe(`an outage of ${outageHours} hours`, () => {
  const longRun = { timeout: 480_000 }

  it(
    'loses nothing: everything is delivered within a minute of its end, in order, nothing twice',
    longRun,
    async () => {
      const { store, runUntil, platform, counts, rows } = await drainWorld()
      platform.trouble = ({ at }) =>
        at < worldStart + outageHours * hour ? networkDown : undefined
      for (let round = 0; round < 4; round++) {
        await store(
          ...Array.from({ length: peopleInOutage }, (_, n) => anEvent(`p${n}@x.io`, `${round}`)),
        )
        await runUntil(worldStart + (round / 4) * outageHours * hour)
      }
      await runUntil(worldStart + outageHours * hour)
      const sends = peopleInOutage * 4
      expect(await counts()).toEqual({ queued: sends })
      // One item looks whether the platform is back; the others spend no tries on it.
      const tries = (await rows()).reduce((sum, { attempts }) => sum + attempts, 0)
      expect(tries).toBeLessThan(sends * 6)

      await runUntil(worldStart + outageHours * hour + 60 * second)
      expect(await counts()).toEqual({ sent: sends })
      expect(platform.effects).toHaveLength(sends)
      for (let n = 0; n < peopleInOutage; n++) {
        const ofPerson = platform.effects.filter(({ person }) => person === `p${n}@x.io`)
        expect(ofPerson.map(({ what }) => what)).toEqual(['0', '1', '2', '3'])
      }
    },
  )

  it('gives a send up only after four days and many tries, with the reason', longRun, async () => {
    const { store, runUntil, platform, counts, rows } = await drainWorld()
    platform.trouble = () => networkDown
    await store(anEvent('a@x.io', '1'))
    await runUntil(worldStart + 4 * 24 * hour - 1, leastStepMs)
    expect(await counts()).toEqual({ queued: 1 })
    await runUntil(worldStart + 8 * 24 * hour, leastStepMs)
    expect((await rows())[0]).toMatchObject({ state: 'failed', error: { code: 'NETWORK' } })
    expect((await rows())[0]?.attempts).toBeGreaterThanOrEqual(13)
  })
})

describe('a list add', () => {
  it('is skipped, and makes no profile, when the platform has none', async () => {
    const { store, runUntil, platform, rows } = await drainWorld()
    platform.profiles.set('known@x.io', {})
    await store(
      { kind: 'list-add', profile: { email: 'nobody@x.io' }, list: 'NEWS' },
      { kind: 'list-add', profile: { email: 'Known@x.io' }, list: 'NEWS' },
    )
    await runUntil(worldStart + 10 * second)
    expect((await rows()).map(({ state, error }) => [state, error?.code])).toEqual([
      ['skipped', 'PROFILE_NOT_FOUND'],
      ['sent', undefined],
    ])
    expect([...(platform.members.get('NEWS') ?? [])]).toEqual(['known@x.io'])
    expect(platform.profiles.has('nobody@x.io')).toBe(false)
  })

  it('goes by an import, with no look-up, when its own post has just made the profile', async () => {
    const { outbox, counts, drain, runUntil, platform } = await drainWorld()
    const acceptedAt = new Date(worldStart)
    await outbox.store([
      { message: anEvent('a@x.io', '1'), key: 'event', acceptedAt },
      {
        message: { kind: 'list-add', profile: { email: 'a@x.io' }, list: 'NEWS' },
        key: 'list',
        acceptedAt,
      },
    ])
    await runUntil(worldStart + 6 * second)
    await runUntil(worldStart + 60 * second)
    expect(await counts()).toEqual({ sent: 2 })
    expect(platform.calls.map(({ name }) => name)).toEqual(['event', 'profiles', 'import-job'])
    expect((await drain.pass()).nextAt).toBeUndefined()
  })
})
