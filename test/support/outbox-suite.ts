import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Claim, Lane, NewSend, Outbox, SendGroup } from '../../src/delivery/outbox.js'
import type { Message } from '../../src/marketing/message.js'

/** An outbox under test, with a look at what it holds. */
export interface OutboxUnderTest {
  outbox: Outbox
  /** State and error code of every send, by key: `sent`, `failed WORKER_LOST`. */
  states(): Promise<Record<string, string>>
  idOf(key: string): Promise<number>
  clear(): Promise<void>
  close(): Promise<void>
}

const start = new Date('2026-11-02T10:00:00.000Z')
/** A moment so many seconds after the start. */
export const at = (seconds: number): Date => new Date(start.getTime() + seconds * 1000)

interface SendWish extends Partial<Omit<NewSend, 'message'>> {
  email?: string
}

export const anEvent = (key: string, { email = 'ada@example.com', ...rest }: SendWish = {}) =>
  aSend(key, rest, {
    kind: 'event',
    profile: { email },
    event: { name: 'Viewed', uniqueId: key, properties: {} },
  })

export const anIdentify = (key: string, { email = 'ada@example.com', ...rest }: SendWish = {}) =>
  aSend(key, rest, { kind: 'identify', profile: { email, firstName: key } })

export const aListAdd = (key: string, wish: SendWish & { list?: string } = {}) => {
  const { email = 'ada@example.com', list = 'NEWS', ...rest } = wish
  return aSend(key, rest, { kind: 'list-add', profile: { email }, list })
}

export const aSubscribe = (key: string, wish: SendWish & { list?: string } = {}) => {
  const { email = 'ada@example.com', list = 'NEWS', ...rest } = wish
  return aSend(key, rest, { kind: 'subscribe', profile: { email }, list, channels: ['email'] })
}

const aSend = (key: string, wish: Partial<NewSend>, message: Message): NewSend => ({
  key,
  acceptedAt: start,
  message,
  ...wish,
})

const refused = { code: 'invalid', detail: 'Not taken.' }

/** What every outbox has to do. */
export function describeOutbox(name: string, open: () => Promise<OutboxUnderTest>): void {
  describe(name, () => {
    let box: OutboxUnderTest
    let outbox: Outbox
    beforeAll(async () => {
      box = await open()
      outbox = box.outbox
    })
    beforeEach(() => box.clear())
    afterAll(() => box.close())

    const claim = (
      group: SendGroup,
      seconds: number,
      limits: { limit?: number; bytes?: number } = {},
    ) =>
      outbox.claim(group, {
        now: at(seconds),
        leaseUntil: at(seconds + 7),
        limit: limits.limit ?? 1000,
        bytes: limits.bytes ?? 1e9,
      })
    const claimNext = async (lane: Lane, seconds: number, limits = {}) => {
      const waiting = await outbox.waiting(lane, { now: at(seconds), countUpTo: 10 })
      return waiting && claim(waiting.group, seconds, limits)
    }
    const mustClaim = async (lane: Lane, seconds: number, limits = {}): Promise<Claim> => {
      const claimed = await claimNext(lane, seconds, limits)
      if (claimed === undefined) throw new Error(`Nothing is due in ${lane} at ${seconds} s.`)
      return claimed
    }
    const finish = (claimed: Claim, seconds: number) =>
      outbox.settle(
        claimed,
        claimed.sends.map(({ id }) => ({ id, to: 'sent' as const })),
        at(seconds),
      )
    const queueAgain = (claimed: Claim, seconds: number, options: { isSuspect?: boolean } = {}) =>
      outbox.settle(
        claimed,
        claimed.sends.map(({ id }) => ({
          id,
          to: 'queued' as const,
          nextAttemptAt: at(seconds),
          attempts: 1,
          ...options,
        })),
        at(0),
      )
    /** What the sends of a claim say: an event's id, an identify's name, a list. */
    const said = (claimed: Claim | undefined) =>
      claimed?.sends.map(({ message }) => {
        if (message.kind === 'event') return message.event.uniqueId
        return message.kind === 'identify' ? message.profile.firstName : message.list
      })

    describe('store', () => {
      it('keeps a message as it was posted', async () => {
        const send = anEvent('a')
        await outbox.store([send])
        const claimed = await mustClaim('events', 0)
        expect(claimed.sends).toMatchObject([
          { message: send.message, acceptedAt: start, attempts: 0 },
        ])
      })

      it('keeps a repeat of a key once, in one call and in another', async () => {
        await outbox.store([anEvent('a'), anEvent('a')])
        await outbox.store([anEvent('a'), anEvent('b')])
        expect(said(await mustClaim('events', 0))).toEqual(['a', 'b'])
      })

      it('leaves out what was stored under the previous key since then', async () => {
        await outbox.store([anEvent('old', { acceptedAt: at(0) })])
        await outbox.store([
          anEvent('repeat', { previousKey: 'old', foldSince: at(0), acceptedAt: at(60) }),
          anEvent('new', { previousKey: 'old', foldSince: at(1), acceptedAt: at(60) }),
        ])
        expect(Object.keys(await box.states()).sort()).toEqual(['new', 'old'])
      })

      it('leaves out a repeat of a previous key in the same call', async () => {
        await outbox.store([
          anEvent('old', { acceptedAt: at(0) }),
          anEvent('repeat', { previousKey: 'old', foldSince: at(0), acceptedAt: at(1) }),
        ])
        expect(Object.keys(await box.states())).toEqual(['old'])
      })

      describe('of a repeat', () => {
        const switched = (key: string, name: string) => {
          const send = anIdentify(key)
          const { message } = anIdentify(name)
          return { ...send, otherwise: { key: `${key}:${name}`, message } }
        }
        const told = async () => said(await mustClaim('profiles', 0))

        it('keeps none while the profile was told nothing else', async () => {
          await outbox.store([switched('on', 'again')])
          await outbox.store([switched('on', 'again'), switched('on', 'and again')])
          expect(await told()).toEqual(['on'])
        })

        it('keeps another send when the profile was told something else: on, off, on', async () => {
          await outbox.store([switched('on', 'never')])
          await outbox.store([anIdentify('off')])
          await outbox.store([switched('on', 'on again'), switched('on', 'a repeat of that')])
          await outbox.store([switched('on', 'one more repeat')])
          expect(await told()).toEqual(['on', 'off', 'on again'])
        })

        it('sees so within one call, too', async () => {
          const posts = ['never', 'on again', 'a repeat'].map((name) => switched('on', name))
          await outbox.store(
            [posts[0], anEvent('off'), posts[1], posts[2]].flatMap((post) => post ?? []),
          )
          expect(Object.keys(await box.states()).sort()).toEqual(['off', 'on', 'on:on again'])
        })

        it('takes what another profile was told for nothing', async () => {
          await outbox.store([switched('on', 'never')])
          await outbox.store([anIdentify('off', { email: 'bob@example.com' })])
          await outbox.store([switched('on', 'never')])
          expect(Object.keys(await box.states()).sort()).toEqual(['off', 'on'])
        })
      })

      it('does not wait for a send that is over or was never stored', async () => {
        await outbox.store([anEvent('over')])
        await finish(await mustClaim('events', 0), 1)
        await outbox.store([
          aListAdd('one', { after: 'over', list: 'A', email: 'one@example.com' }),
          aListAdd('two', { after: 'never', list: 'B', email: 'two@example.com' }),
        ])
        expect(said(await mustClaim('list-adds', 2))).toEqual(['A'])
        expect(said(await mustClaim('list-adds', 2))).toEqual(['B'])
      })
    })

    describe('waiting and claim', () => {
      it('finds nothing when nothing waits', async () => {
        expect(await outbox.waiting('events', { now: at(0), countUpTo: 5 })).toBeUndefined()
        expect(await claim({ lane: 'events', isolation: 0 }, 0)).toBeUndefined()
      })

      it('finds nothing before its moment has come', async () => {
        await outbox.store([anEvent('a', { acceptedAt: at(5) })])
        expect(await claimNext('events', 4)).toBeUndefined()
        expect(await outbox.nextDueAt('events', at(4))).toEqual(at(5))
        expect(await outbox.nextDueAt('profiles', at(4))).toBeUndefined()
        expect(await claimNext('events', 5)).toBeDefined()
      })

      it('counts a group up to what was asked for and says since when it is due', async () => {
        await outbox.store(
          [1, 2, 3].map((index) =>
            anEvent(`e${index}`, { email: `${index}@example.com`, acceptedAt: at(index) }),
          ),
        )
        const group = { lane: 'events', isolation: 0 }
        const waiting = (countUpTo: number) => outbox.waiting('events', { now: at(9), countUpTo })
        expect(await waiting(2)).toEqual({ group, count: 2, dueSince: at(1) })
        expect(await waiting(9)).toEqual({ group, count: 3, dueSince: at(1) })
      })

      it('gives no send to two claims', async () => {
        await outbox.store([
          anEvent('a', { email: 'a@example.com' }),
          anEvent('b', { email: 'b@example.com' }),
        ])
        expect(said(await claimNext('events', 0, { limit: 1 }))).toEqual(['a'])
        expect(said(await claimNext('events', 0, { limit: 1 }))).toEqual(['b'])
        expect(await claimNext('events', 0)).toBeUndefined()
      })

      it('never has sends of one profile in two claims', async () => {
        await outbox.store([anEvent('a1'), anEvent('a2'), aSubscribe('list')])
        const first = await mustClaim('events', 0, { limit: 1 })
        expect(said(first)).toEqual(['a1'])
        expect(await claimNext('events', 0)).toBeUndefined()
        expect(await claimNext('subscriptions', 0)).toBeUndefined()
        await finish(first, 1)
        expect(said(await claimNext('events', 1))).toEqual(['a2'])
      })

      it('takes identifies along with a later event of their profile', async () => {
        await outbox.store([
          anIdentify('before'),
          anEvent('event'),
          anIdentify('behind'),
          anIdentify('other', { email: 'other@example.com' }),
        ])
        expect(said(await mustClaim('events', 0))).toEqual(['before', 'event'])
        expect(said(await mustClaim('profiles', 0))).toEqual(['other'])
      })

      it('lets an identify wait for an earlier event', async () => {
        await outbox.store([anEvent('event'), anIdentify('behind')])
        expect(await claimNext('profiles', 0)).toBeUndefined()
        await finish(await mustClaim('events', 0), 1)
        expect(said(await mustClaim('profiles', 1))).toEqual(['behind'])
      })

      it('takes no more bytes than fit, but always one send', async () => {
        const sends = ['a', 'b', 'c'].map((key) => anEvent(key, { email: `${key}@example.com` }))
        await outbox.store(sends)
        const bytes = Buffer.byteLength(JSON.stringify(sends[0]?.message))
        expect(said(await claimNext('events', 0, { bytes: 1 }))).toEqual(['a'])
        expect(said(await claimNext('events', 0, { bytes: 2 * bytes }))).toEqual(['b', 'c'])
      })

      it('keeps the order of a profile when an earlier send fell due later', async () => {
        await outbox.store([anEvent('first', { acceptedAt: at(3) }), anEvent('second')])
        expect(await claimNext('events', 1)).toBeUndefined()
        const claimed = await mustClaim('events', 4, { limit: 1 })
        expect(said(claimed)).toEqual(['first'])
        await finish(claimed, 4)
        expect(said(await mustClaim('events', 4))).toEqual(['second'])
      })

      it('holds a profile back behind a send that is put off', async () => {
        await outbox.store([anEvent('first'), anEvent('second'), aSubscribe('list')])
        await queueAgain(await mustClaim('events', 0, { limit: 1 }), 30)
        await outbox.store([anEvent('third', { acceptedAt: at(2) })])
        expect(await claimNext('events', 29)).toBeUndefined()
        expect(await claimNext('subscriptions', 29)).toBeUndefined()
        expect(said(await claimNext('events', 30))).toEqual(['first', 'second'])
      })

      it('shows others behind a profile with hundreds of sends in the way', async () => {
        await outbox.store([anEvent('head', { acceptedAt: at(100) })])
        await outbox.store(Array.from({ length: 400 }, (_, index) => anEvent(`blocked ${index}`)))
        await outbox.store([anEvent('free', { email: 'free@example.com', acceptedAt: at(1) })])
        const group = { lane: 'events', isolation: 0 }
        expect(await outbox.waiting('events', { now: at(2), countUpTo: 1 })).toEqual({
          group,
          count: 1,
          dueSince: at(1),
        })
        expect(said(await claimNext('events', 2, { limit: 1 }))).toEqual(['free'])
      })

      it('keeps lists apart, the longest due first', async () => {
        await outbox.store([
          aSubscribe('s1', { list: 'B', email: 'a@example.com', acceptedAt: at(2) }),
          aSubscribe('s2', { list: 'A', email: 'b@example.com', acceptedAt: at(1) }),
          aSubscribe('s3', { list: 'B', email: 'c@example.com', acceptedAt: at(3) }),
        ])
        expect(said(await claimNext('subscriptions', 5))).toEqual(['A'])
        expect(said(await claimNext('subscriptions', 5))).toEqual(['B', 'B'])
      })

      it('sends a list add when the event of its post is delivered, as one of a known profile', async () => {
        await outbox.store([anEvent('event'), aListAdd('add', { after: 'event' })])
        expect(await claimNext('list-adds', 0)).toBeUndefined()
        await finish(await mustClaim('events', 0), 1)
        const waiting = await outbox.waiting('list-adds', { now: at(1), countUpTo: 5 })
        expect(waiting?.group).toEqual({
          lane: 'list-adds',
          isolation: 0,
          list: 'NEWS',
          isProfileKnown: true,
        })
        expect(said(await claimNext('list-adds', 1))).toEqual(['NEWS'])
      })

      it('takes no profile as known that the event of its post was not about', async () => {
        await outbox.store([
          anEvent('event', { email: 'hooked@example.com' }),
          aListAdd('add', { after: 'event' }),
        ])
        await finish(await mustClaim('events', 0), 1)
        const waiting = await outbox.waiting('list-adds', { now: at(1), countUpTo: 5 })
        expect(waiting?.group.isProfileKnown).toBe(false)
      })

      it('takes a profile as known for ten minutes', async () => {
        await outbox.store([anIdentify('identify'), aListAdd('add', { after: 'identify' })])
        await finish(await mustClaim('profiles', 0), 1)
        const isKnown = async (seconds: number) =>
          (await outbox.waiting('list-adds', { now: at(seconds), countUpTo: 5 }))?.group
            .isProfileKnown
        expect(await isKnown(600)).toBe(true)
        expect(await isKnown(601)).toBe(false)
        expect(said(await claimNext('list-adds', 601))).toEqual(['NEWS'])
      })

      it('sends a list add as one of an unknown profile when the event was refused', async () => {
        await outbox.store([anEvent('event'), aListAdd('add', { after: 'event' })])
        const claimed = await mustClaim('events', 0)
        await outbox.settle(
          claimed,
          claimed.sends.map(({ id }) => ({ id, to: 'failed', error: refused })),
          at(1),
        )
        const waiting = await outbox.waiting('list-adds', { now: at(1), countUpTo: 5 })
        expect(waiting?.group.isProfileKnown).toBe(false)
        expect(await box.states()).toEqual({ event: 'failed invalid', add: 'queued' })
      })

      it('lets an event wait for an earlier list add of its profile', async () => {
        await outbox.store([aListAdd('add'), anEvent('event')])
        expect(await claimNext('events', 0)).toBeUndefined()
        await finish(await mustClaim('list-adds', 0), 1)
        expect(said(await mustClaim('events', 1))).toEqual(['event'])
      })

      it('isolates suspects step by step, and holds back what is behind them', async () => {
        await outbox.store([anIdentify('with'), anEvent('first')])
        for (const isolation of [1, 2]) {
          await queueAgain(await mustClaim('events', isolation), isolation, { isSuspect: true })
          const waiting = await outbox.waiting('events', { now: at(isolation), countUpTo: 5 })
          expect(waiting?.group).toEqual({ lane: 'events', isolation })
        }
        await outbox.store([anEvent('second')])
        expect(await claim({ lane: 'events', isolation: 0 }, 3)).toBeUndefined()
        expect(said(await claimNext('events', 3))).toEqual(['with', 'first'])
      })

      it('leaves an identify to the event of its profile that waits as well', async () => {
        await outbox.store([anIdentify('first')])
        await outbox.store([anIdentify('second')])
        await outbox.store([anEvent('event'), anIdentify('last')])
        await outbox.store([anIdentify('of bob', { email: 'bob@example.com' })])
        expect(said(await mustClaim('profiles', 0))).toEqual(['of bob'])
        expect(said(await mustClaim('events', 0))).toEqual(['first', 'second', 'event'])
      })

      it('sends an identify by itself when something else comes before the event', async () => {
        await outbox.store([anIdentify('identify'), aListAdd('add', { after: 'identify' })])
        await outbox.store([anEvent('event')])
        expect(await claimNext('events', 0)).toBeUndefined()
        const identify = await mustClaim('profiles', 0)
        expect(said(identify)).toEqual(['identify'])
        await finish(identify, 1)
        await finish(await mustClaim('list-adds', 1), 2)
        expect(said(await mustClaim('events', 2))).toEqual(['event'])
      })

      it('sends an identify by itself while the event behind it is put off', async () => {
        await outbox.store([anEvent('event')])
        await queueAgain(await mustClaim('events', 0), 50)
        await outbox.store([anIdentify('identify', { email: 'bob@example.com' })])
        await outbox.store([anEvent('later', { email: 'bob@example.com', acceptedAt: at(60) })])
        expect(said(await mustClaim('profiles', 1))).toEqual(['identify'])
      })

      it('takes nobody along with who has to be alone', async () => {
        await outbox.store([anIdentify('with'), anEvent('first')])
        for (const seconds of [1, 2, 3]) {
          await queueAgain(await mustClaim('events', seconds), seconds, { isSuspect: true })
        }
        expect(await claimNext('events', 4)).toBeUndefined()
        await finish(await mustClaim('profiles', 4), 4)
        expect(said(await claimNext('events', 4))).toEqual(['first'])
      })
    })

    describe('settle', () => {
      it('changes nothing with a token that is not the newest', async () => {
        await outbox.store([anEvent('a'), aListAdd('add', { after: 'a' })])
        const stale = await mustClaim('events', 0)
        await outbox.recover(at(7))
        const fresh = await mustClaim('events', 7)
        await finish(stale, 8)
        expect(await box.states()).toEqual({ a: 'sending', add: 'queued' })
        expect(await claimNext('list-adds', 8)).toBeUndefined()
        await finish(fresh, 8)
        await outbox.settle(
          fresh,
          [{ id: await box.idOf('a'), to: 'failed', error: refused }],
          at(9),
        )
        expect((await box.states()).a).toBe('sent')
      })

      it('queues again with attempts, error and another message', async () => {
        await outbox.store([anEvent('a')])
        const claimed = await mustClaim('events', 0)
        const message = anEvent('amended').message
        await outbox.settle(
          claimed,
          [
            {
              id: await box.idOf('a'),
              to: 'queued',
              nextAttemptAt: at(3),
              attempts: 4,
              error: refused,
              message,
            },
          ],
          at(1),
        )
        expect(await box.states()).toEqual({ a: 'queued invalid' })
        expect(await outbox.nextDueAt('events', at(1))).toEqual(at(3))
        expect((await mustClaim('events', 3)).sends).toMatchObject([{ attempts: 4, message }])
      })

      it('writes each of many sends its own', async () => {
        await outbox.store(
          ['sent', 'skipped', 'failed', 'queued'].map((key) =>
            anEvent(key, { email: `${key}@example.com` }),
          ),
        )
        const claimed = await mustClaim('events', 0)
        const ids = Object.fromEntries(
          claimed.sends.map(({ id, message }) => [
            message.kind === 'event' ? message.event.uniqueId : '',
            id,
          ]),
        )
        await outbox.settle(
          claimed,
          [
            { id: ids.sent ?? 0, to: 'sent' },
            {
              id: ids.skipped ?? 0,
              to: 'skipped',
              error: { code: 'PROFILE_NOT_FOUND', detail: '' },
            },
            { id: ids.failed ?? 0, to: 'failed', error: refused },
            { id: ids.queued ?? 0, to: 'queued', nextAttemptAt: at(1), attempts: 1 },
          ],
          at(1),
        )
        expect(await box.states()).toEqual({
          sent: 'sent',
          skipped: 'skipped PROFILE_NOT_FOUND',
          failed: 'failed invalid',
          queued: 'queued',
        })
      })
    })

    describe('recover', () => {
      it('leaves a send alone until its lease is over', async () => {
        await outbox.store([anEvent('a')])
        await mustClaim('events', 0)
        expect(await outbox.recover(at(6.999))).toBe(0)
        expect(await box.states()).toEqual({ a: 'sending' })
        expect(await outbox.recover(at(7))).toBe(1)
        expect(await box.states()).toEqual({ a: 'queued' })
      })

      it('brings the sends of a lost batch back one step more alone, without an attempt', async () => {
        await outbox.store([anEvent('a'), anEvent('b')])
        await mustClaim('events', 0)
        expect(await outbox.recover(at(7))).toBe(2)
        const waiting = await outbox.waiting('events', { now: at(7), countUpTo: 5 })
        expect(waiting).toEqual({
          group: { lane: 'events', isolation: 1 },
          count: 2,
          dueSince: at(7),
        })
        expect((await mustClaim('events', 7)).sends).toMatchObject([
          { attempts: 0 },
          { attempts: 0 },
        ])
      })

      it('sets a send aside that took three workers down once it was singled out, and frees what waited for it', async () => {
        await outbox.store([anEvent('a'), aListAdd('add', { after: 'a' })])
        // Lost 7 s later each time; then due at once, after 20 s, after five minutes.
        for (const seconds of [0, 7, 34, 341]) {
          expect(await box.states()).toEqual({ a: 'queued', add: 'queued' })
          if (seconds > 7) expect(await claimNext('events', seconds - 0.001)).toBeUndefined()
          await mustClaim('events', seconds)
          await outbox.recover(at(seconds + 7))
        }
        expect(await box.states()).toEqual({ a: 'failed WORKER_LOST', add: 'queued' })
        expect(said(await mustClaim('list-adds', 348))).toEqual(['NEWS'])
      })
    })

    describe('jobs', () => {
      const sendByJob = async (job: string, sends: NewSend[]) => {
        await outbox.store(sends)
        const claimed = await mustClaim('profiles', 0)
        await outbox.settle(
          claimed,
          claimed.sends.map(({ id }) => ({ id, to: 'sent', job })),
          at(1),
        )
      }
      const two = ['a', 'b'].map((key) => anIdentify(key, { email: `${key}@example.com` }))

      it('are open until they are closed', async () => {
        await sendByJob('job 1', two)
        await sendByJob('job 2', [anIdentify('c')])
        expect(await outbox.openJobs(5)).toEqual(['job 1', 'job 2'])
        expect(await outbox.openJobs(1)).toEqual(['job 1'])
        await outbox.closeJob('job 1', [], at(2))
        expect(await outbox.openJobs(5)).toEqual(['job 2'])
        expect((await box.states()).a).toBe('sent')
      })

      it('fail the sends that they name', async () => {
        await sendByJob('job', two)
        await outbox.closeJob('job', [{ email: 'b@example.com', error: refused }], at(2))
        expect(await box.states()).toEqual({ a: 'sent', b: 'failed invalid' })
      })

      it('fail the only send that an error without a name can mean', async () => {
        await sendByJob('job', two)
        const failures = [
          { email: 'a@example.com', error: refused },
          { email: undefined, error: { code: 'other', detail: '' } },
        ]
        await outbox.closeJob('job', failures, at(2))
        expect(await box.states()).toEqual({ a: 'failed invalid', b: 'failed other' })
      })

      it('fail altogether when the platform gave the job up', async () => {
        await sendByJob('job', two)
        await sendByJob('other', [anIdentify('c')])
        await outbox.failJob('job', { code: 'JOB_CANCELLED', detail: 'Given up.' }, at(2))
        expect(await box.states()).toEqual({
          a: 'failed JOB_CANCELLED',
          b: 'failed JOB_CANCELLED',
          c: 'sent',
        })
        expect(await outbox.openJobs(5)).toEqual(['other'])
      })

      describe('that are carried out later', () => {
        const holdByJob = async (job: string, sends: NewSend[]) => {
          await outbox.store(sends)
          const claimed = await mustClaim('profiles', 0)
          await outbox.settle(
            claimed,
            claimed.sends.map(({ id }) => ({ id, to: 'sending', job, until: at(300) })),
            at(1),
          )
        }

        it('keep what is later of their profiles waiting until they are closed', async () => {
          await holdByJob('job', two)
          await outbox.store([
            anIdentify('later', { email: 'a@example.com' }),
            anEvent('event', { email: 'b@example.com' }),
            aListAdd('add', { email: 'b@example.com', after: 'b' }),
          ])
          await outbox.recover(at(20))
          expect(await claimNext('profiles', 20)).toBeUndefined()
          expect(await claimNext('events', 20)).toBeUndefined()
          expect(await outbox.openJobs(5)).toEqual(['job'])

          await outbox.closeJob('job', [{ email: 'b@example.com', error: refused }], at(21))
          expect(await box.states()).toMatchObject({ a: 'sent', b: 'failed invalid' })
          expect(said(await mustClaim('profiles', 21))).toEqual(['later'])
          expect(said(await mustClaim('events', 21))).toEqual(['event'])
        })

        it('keep nobody waiting for ever, and can still be closed', async () => {
          await holdByJob('job', two)
          await outbox.store([anIdentify('later', { email: 'a@example.com' })])
          await outbox.recover(at(299))
          expect(await claimNext('profiles', 299)).toBeUndefined()
          await outbox.recover(at(300))
          expect(await box.states()).toMatchObject({ a: 'sent', b: 'sent' })
          expect(said(await mustClaim('profiles', 300))).toEqual(['later'])
          expect(await outbox.openJobs(5)).toEqual(['job'])
          const error = { email: 'b@example.com', error: refused }
          await outbox.closeJob('job', [error], at(301))
          expect(await box.states()).toMatchObject({ a: 'sent', b: 'failed invalid' })
        })

        it('give back what a call of its own can deliver, to be alone', async () => {
          await holdByJob('job', two)
          await outbox.store([anIdentify('later', { email: 'a@example.com' })])
          const amendable = { email: 'a@example.com', error: refused, isAmendable: true as const }
          await outbox.closeJob('job', [amendable], at(21))
          expect(await box.states()).toEqual({ a: 'queued invalid', b: 'sent', later: 'queued' })
          const waiting = await outbox.waiting('profiles', { now: at(21), countUpTo: 5 })
          expect(waiting?.group).toEqual({ lane: 'profiles', isolation: 3 })
          expect(said(await mustClaim('profiles', 21))).toEqual(['a'])
        })

        it('fail what something later of its profile may have overtaken', async () => {
          await holdByJob('job', two)
          await outbox.recover(at(300))
          const amendable = { email: 'a@example.com', error: refused, isAmendable: true as const }
          await outbox.closeJob('job', [amendable], at(301))
          expect(await box.states()).toEqual({ a: 'failed invalid', b: 'sent' })
        })

        it('end as a whole when the platform gave the job up, and free what waits for them', async () => {
          await holdByJob('job', [anIdentify('a')])
          await outbox.store([aListAdd('add', { after: 'a' })])
          await outbox.failJob('job', refused, at(21))
          expect(await box.states()).toEqual({ a: 'failed invalid', add: 'queued' })
          expect(said(await mustClaim('list-adds', 21))).toEqual(['NEWS'])
        })
      })

      it('show an error without a name on all sends that it can mean', async () => {
        await sendByJob('job', two)
        await outbox.closeJob('job', [{ email: undefined, error: refused }], at(2))
        expect(await box.states()).toEqual({ a: 'sent invalid', b: 'sent invalid' })
      })
    })

    describe('the end of a send', () => {
      const endOne = async (key: string, to: 'sent' | 'skipped' | 'failed', seconds: number) => {
        await outbox.store([anEvent(key, { email: `${key}@example.com` })])
        const { token, leaseUntil, sends } = await mustClaim('events', 0)
        const settlements = sends.map(({ id }) =>
          to === 'sent' ? { id, to } : { id, to, error: refused },
        )
        await outbox.settle({ token, leaseUntil, sends }, settlements, at(seconds))
      }

      it('is forgotten when it was sent or skipped long ago', async () => {
        await endOne('old', 'sent', 1)
        await endOne('skipped', 'skipped', 1)
        await endOne('failed', 'failed', 1)
        await endOne('new', 'sent', 2)
        expect(await outbox.prune(at(2))).toBe(2)
        expect(await outbox.prune(at(2))).toBe(0)
        expect(Object.keys(await box.states()).sort()).toEqual(['failed', 'new'])
      })

      it('is forgotten when it failed and was accepted long ago', async () => {
        await endOne('old', 'failed', 9)
        await endOne('sent', 'sent', 9)
        expect(await outbox.prune(at(1), at(0))).toBe(0)
        expect(await outbox.prune(at(1), at(1))).toBe(1)
        expect(Object.keys(await box.states())).toEqual(['sent'])
      })

      it('is kept while its job is open', async () => {
        await outbox.store([anIdentify('a')])
        const claimed = await mustClaim('profiles', 0)
        await outbox.settle(
          claimed,
          claimed.sends.map(({ id }) => ({ id, to: 'sent', job: 'job' })),
          at(1),
        )
        expect(await outbox.prune(at(9))).toBe(0)
        await outbox.closeJob('job', [], at(2))
        expect(await outbox.prune(at(9))).toBe(1)
      })

      it('can be undone when it failed: a resend starts anew', async () => {
        await endOne('a', 'failed', 1)
        const id = await box.idOf('a')
        expect(await outbox.resend(id, at(5))).toBe(true)
        expect(await outbox.resend(id, at(5))).toBe(false)
        expect(await box.states()).toEqual({ a: 'queued' })
        expect(await outbox.waiting('events', { now: at(5), countUpTo: 5 })).toEqual({
          group: { lane: 'events', isolation: 0 },
          count: 1,
          dueSince: at(5),
        })
        expect((await mustClaim('events', 5)).sends).toMatchObject([{ attempts: 0 }])
      })

      it('can be dismissed when it failed, and only then', async () => {
        await endOne('failed', 'failed', 1)
        await endOne('sent', 'sent', 1)
        expect(await outbox.dismiss(await box.idOf('sent'))).toBe(false)
        expect(await outbox.dismiss(await box.idOf('failed'))).toBe(true)
        expect(await outbox.dismiss(2 ** 30)).toBe(false)
        expect(await box.states()).toEqual({ sent: 'sent' })
      })
    })
  })
}
