import { describe, expect, it } from 'vitest'
import {
  createKlaviyoStandIn,
  demoApiKey,
  type StandInOptions,
} from '../../dev/klaviyo/stand-in.ts'
import { createKlaviyo } from '../../src/klaviyo/klaviyo.js'
import type { CallOptions, MarketingPlatform, Outcome } from '../../src/klaviyo/platform.js'
import { anEvent, aSubscription } from './messages.js'
import { testPlatform, type PlatformUnderTest } from './platform-suite.js'

interface Opened {
  server: ReturnType<typeof createKlaviyoStandIn>
  platform: MarketingPlatform
  options: CallOptions
}

/** The stand-in behind a network that is none. */
function openStandIn(settings: StandInOptions = {}, signal = new AbortController().signal): Opened {
  const server = createKlaviyoStandIn(settings)
  const platform = createKlaviyo('http://klaviyo.test', {
    fetch: (input, init) => server.handle(new Request(input, init)),
    now: () => new Date(),
  })
  return { server, platform, options: { apiKey: demoApiKey, signal } }
}

testPlatform('the stand-in', (): PlatformUnderTest => {
  const { server, platform, options } = openStandIn()
  const { state } = server
  return {
    platform,
    options,
    wrongKey: 'pk_of_nobody_0123456789',
    settle: () => Promise.resolve(server.settle()),
    lists: { first: 'WELCOME', second: 'VIPLIST' },
    account: {
      events: (email) =>
        state.events
          .filter(({ profile }) => profile === state.profileByEmail(email)?.id)
          .map(({ metric, uniqueId }) => ({ name: metric, uniqueId })),
      attributes: (email) => state.profileByEmail(email)?.attributes,
      members: (list) =>
        [...(state.lists.get(list)?.members.keys() ?? [])].map(
          (id) => state.profiles.get(id)?.attributes.email ?? '',
        ),
    },
  }
})

const events = ['a', 'poison', 'c'].map((name) =>
  anEvent({ profile: { email: `${name}@example.com` } }, new Date()),
)

const jobOf = ([outcome]: readonly Outcome[]) =>
  outcome?.is === 'delivered' ? (outcome.job ?? '') : ''

describe('Through faults of the stand-in', () => {
  it.each([
    [{ kind: 'reset' }, { is: 'later', costsAttempt: true, error: { code: 'NETWORK' } }],
    [
      { kind: 'error', status: 503 },
      { is: 'later', costsAttempt: true, error: { status: 503 } },
    ],
    [
      { kind: 'throttle', seconds: 9 },
      { is: 'later', costsAttempt: false, afterSeconds: 9 },
    ],
    [{ kind: 'wrong-key' }, { is: 'misconfigured', error: { status: 401 } }],
    [{ kind: 'forbidden' }, { is: 'misconfigured', error: { status: 403 } }],
    [{ kind: 'redirect' }, { is: 'misconfigured', error: { code: 'REDIRECTED' } }],
  ] as const)('%o is understood', async (fault, outcome) => {
    const { platform, options } = openStandIn({ faults: [fault] })
    const { outcomes } = await platform.trackEvents(events, options)
    expect(outcomes).toMatchObject([outcome, outcome, outcome])
  })

  it('a call that hangs ends by its signal', async () => {
    const controller = new AbortController()
    const { platform, options } = openStandIn({ faults: [{ kind: 'hang' }] }, controller.signal)
    const answer = platform.trackEvents(events, options)
    controller.abort()
    expect((await answer).outcomes[0]).toMatchObject({ is: 'later', error: { code: 'TIMEOUT' } })
  })

  it('an import whose answer is cut off is made again', async () => {
    const { platform, options } = openStandIn({ faults: [{ kind: 'truncate' }] })
    const { outcomes } = await platform.importProfiles([{ email: 'a@example.com' }], options)
    expect(outcomes).toMatchObject([{ is: 'later', error: { code: 'UNREADABLE_ANSWER' } }])
  })

  it.each([
    ['item', ['requeue', 'refused', 'requeue']],
    ['data', ['culpritUnknown', 'culpritUnknown', 'culpritUnknown']],
  ] as const)('an item is refused alone when it is pointed at: %s', async (says, kinds) => {
    const { platform, options } = openStandIn({ faults: [{ kind: 'poison', says }] })
    const { outcomes } = await platform.trackEvents(events, options)
    expect(outcomes.map(({ is }) => is)).toEqual(kinds)
  })

  it('profiles that fail inside their import are named by email', async () => {
    const { platform, options, server } = openStandIn({ faults: [{ kind: 'import-error' }] })
    const { outcomes } = await platform.importProfiles(
      [{ email: 'poison@example.com' }, { email: 'b@example.com' }],
      options,
    )
    const job = jobOf(outcomes)
    server.settle()
    expect(await platform.importJob(job, options)).toMatchObject({ failedCount: 1 })
    expect(await platform.importErrors(job, options)).toMatchObject({
      errors: [{ email: 'poison@example.com' }],
    })
  })

  it('the errors of an import come a hundred a page', async () => {
    const { platform, options, server } = openStandIn({ faults: [{ kind: 'import-error' }] })
    const profiles = Array.from({ length: 101 }, (_, at) => ({ email: `poison-${at}@example.com` }))
    const { outcomes } = await platform.importProfiles(profiles, options)
    const job = jobOf(outcomes)
    server.settle()
    const first = await platform.importErrors(job, options)
    if ('failed' in first) throw new Error(first.failed.error.detail)
    expect(first.errors).toHaveLength(100)
    const second = await platform.importErrors(job, { ...options, page: first.nextPage ?? '' })
    if ('failed' in second) throw new Error(second.failed.error.detail)
    expect(second.errors).toHaveLength(1)
    expect(second.nextPage).toBeUndefined()
  })

  it('somebody who has yet to confirm is not found subscribed, and is once confirmed', async () => {
    const { platform, options, server } = openStandIn()
    const message = aSubscription({ list: 'NEWSLTR' })
    await platform.subscribe([message], options)
    expect(await platform.findSubscribed([message], options)).toMatchObject({
      subscribed: new Set(),
    })
    for (const id of server.state.confirmations.keys()) server.people.confirm(id)
    expect(await platform.findSubscribed([message], options)).toMatchObject({
      subscribed: new Set([message]),
    })
  })

  it('a cancelled import is reported as such', async () => {
    const { platform, options, server } = openStandIn({ faults: [{ kind: 'cancel-job' }] })
    const { outcomes } = await platform.importProfiles([{ email: 'a@example.com' }], options)
    const job = jobOf(outcomes)
    server.settle()
    expect(await platform.importJob(job, options)).toMatchObject({
      failed: { is: 'refused', error: { code: 'JOB_CANCELLED' } },
    })
  })
})
