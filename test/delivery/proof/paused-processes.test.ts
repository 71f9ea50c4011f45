import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@libsql/client'
import { describe, it } from 'vitest'
import { serveKlaviyoStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey, type KlaviyoStandIn } from '../../../dev/klaviyo/stand-in.ts'
import { randomFrom, type Random } from '../../../dev/seed/random.ts'
import type { NewSend } from '../../../src/delivery/send.js'
import { partsOf } from '../../../src/installation.js'
import type { Message } from '../../../src/klaviyo/message.js'
import { sqlDatabase } from '../../../src/database/database.js'
import { processScript } from '../../support/process-script.js'
import { databaseKinds, openStore, type TestStore } from '../../support/store.js'
import { startStoreProcess, type StoreProcess } from './store-process.js'
import {
  countByState,
  countUnfinished,
  countWaiting,
  readSends,
} from '../../support/stored-sends.js'
import { untilAllIsOver } from './until-all-is-over.js'

/** `PAUSES=50 npx vitest run test/delivery/proof/paused` looks longer. */
const rounds = Number(process.env.PAUSES ?? 1)
const seed = Number(process.env.SEED ?? 20261121)

const workersAtWork = 4
const people = 60
/** Of each person: an identify, two events, a list member and a subscription. */
const sendsOfRound = people * 5

describe.concurrent.each(databaseKinds)(
  'four workers that are paused past their leases (%s)',
  (kind) => {
    it(
      `nothing takes effect twice or out of order: ${rounds} rounds of pauses, seed ${seed}`,
      { timeout: 120_000 + untilAllIsOver.timeout + rounds * 60_000 },
      async ({ expect, task }) => {
        const random = randomFrom(seed)
        const store = await openStore(kind)
        const { origin, standIn, close } = await serveKlaviyoStandIn({ port: 0, jobSeconds: 0 })
        const steps = watchSteps(standIn)
        const setup = {
          script: processScript('deliver-process'),
          kind,
          url: store.url,
          apiUrl: origin,
          apiKey: demoApiKey,
        }
        const workers: StoreProcess[] = []
        let pauses = 0
        let interrupted = 0
        try {
          const starting = Array.from({ length: workersAtWork }, () => startStoreProcess(setup))
          workers.push(...(await Promise.all(starting)))
          for (const worker of workers) await worker.become('worker')
          const late: string[] = []
          for (let round = 0; round <= rounds; round++) {
            await storeRound(store, round)
            // In the last round all are at work, so that whoever was paused has its chance to do harm.
            const wanted = round === rounds ? 0 : random.between(1, workersAtWork - 1)
            const paused = await pauseSome(store, { workers, wanted, random })
            pauses += paused.length
            interrupted += paused.filter(({ said }) => said.at(-1)?.startsWith('call')).length
            await expect.poll(() => countWaiting(store), untilAllIsOver).toBe(0)
            for (const worker of paused) late.push(...(await callsAfter(worker)))
            expect(effectsOf(standIn)).toEqual(expectedEffects(round + 1))
          }
          expect(late, `calls of workers whose leases were over, seed ${seed}`).toEqual([])

          await expect.poll(() => countUnfinished(store), untilAllIsOver).toBe(0)

          const sends = await readSends(store)
          const context = `seed ${seed}, ${interrupted} of ${pauses} pauses were in a call`
          expect(countByState(sends), context).toEqual({ sent: sendsOfRound * (rounds + 1) })
          const troubled = sends.filter(({ hadTrouble }) => hadTrouble)
          expect(troubled.length, context).toBeGreaterThan(0)
          // What went down with an answer is sent again from there on. Nothing else goes back.
          const profiles = new Set(troubled.map(({ profile }) => profile))
          const isOdd = ({ email }: { email: string }) => !profiles.has(`email:${email}`)
          expect(steps.inversions.filter(isOdd), context).toEqual([])
          const ids = new Set(troubled.map(({ uniqueId }) => uniqueId))
          const again = standIn.state.events.filter(
            ({ uniqueId, arrivals }) => arrivals > 1 && !ids.has(uniqueId),
          )
          expect(again, context).toEqual([])
        } finally {
          task.meta.figures = {
            pauses,
            'pauses in a call': interrupted,
            'events at the platform': standIn.state.events.length,
            'calls of the platform': standIn.state.calls.length,
            'calls refused (429)': standIn.state.throttled,
            'steps back': steps.inversions.length,
          }
          for (const worker of workers) await worker.kill()
          await close()
          await store.close()
        }
      },
    )
  },
)

const emailOf = (person: number) => `p${person}@example.com`

/** In two writes, so that some find their workers busy. */
async function storeRound(store: TestStore, round: number): Promise<void> {
  const { outbox } = partsOf(store.payload)
  const acceptedAt = new Date()
  const of = (person: number): NewSend[] => {
    const email = emailOf(person)
    const messages: Message[] = [
      { kind: 'identify', profile: { email, properties: { step: round * 3 } } },
      ...[1, 2].map((turn): Message => ({
        kind: 'event',
        profile: { email, properties: { step: round * 3 + turn } },
        event: { name: 'Viewed', uniqueId: `${email} ${round} ${turn}`, properties: {} },
      })),
      { kind: 'list-add', profile: { email }, list: 'VIPLIST' },
      { kind: 'subscribe', profile: { email }, list: 'WELCOME', channels: ['email'] },
    ]
    return messages.map((message, place) => ({
      message,
      key: `${place} ${email} ${round}`,
      acceptedAt,
    }))
  }
  const sends = Array.from({ length: people }, (_, person) => of(person))
  await outbox.store(sends.slice(0, 20).flat())
  await outbox.store(sends.slice(20).flat())
}

interface PauseWish {
  workers: readonly StoreProcess[]
  wanted: number
  random: Random
}

/** Pauses some in the middle of their work. */
async function pauseSome(
  store: TestStore,
  { workers, wanted, random }: PauseWish,
): Promise<StoreProcess[]> {
  const awake = [...workers]
  const paused: StoreProcess[] = []
  while (paused.length < wanted && (await countWaiting(store)) > 0) {
    const lines = random.between(1, 2)
    const worker = await Promise.race([
      ...awake.map(async (one) => {
        await one.lines(one.said.length + lines)
        return one
      }),
      pause(2_000),
    ])
    // What is left waits for those that are paused.
    if (worker === undefined) break
    await pause(random.between(0, 20))
    worker.pause()
    if (await isLocked(store)) {
      await worker.resume()
    } else {
      paused.push(worker)
      awake.splice(awake.indexOf(worker), 1)
    }
  }
  return paused
}

/** Lets a worker go on, and tells what it sends then. Jobs may be asked for at any time. */
async function callsAfter(worker: StoreProcess): Promise<string[]> {
  const saidBefore = worker.said.length
  await worker.resume()
  const calls = worker.said.slice(saidBefore).filter((line) => line.startsWith('call'))
  return calls.filter((line) => !line.includes('/api/profile-bulk-import-jobs/'))
}

/**
 * SQLite locks the whole file: nobody could go on if whoever has locked it is paused. Asked without a
 * wait, which would stop this process, and the proof on the other database with it.
 */
async function isLocked({ payload, url }: TestStore): Promise<boolean> {
  if (!sqlDatabase(payload).isSqlite) return false
  const client = createClient({ url: `file:${url}` })
  try {
    await client.execute('begin exclusive')
    await client.execute('rollback')
    return false
  } catch {
    return true
  } finally {
    client.close()
  }
}

/** What the platform received of each person's step, call by call. */
function watchSteps(standIn: KlaviyoStandIn) {
  const last = new Map<string, number>()
  const inversions: { email: string; before: number; after: number }[] = []
  const { handle } = standIn
  standIn.handle = async (request) => {
    const text = await request.clone().text()
    const response = await handle(request)
    if (!response.ok || text === '') return response
    for (const { email, step } of stepsIn(JSON.parse(text))) {
      const before = last.get(email) ?? -1
      if (step < before) inversions.push({ email, before, after: step })
      last.set(email, step)
    }
    return response
  }
  return { inversions }
}

/** Profiles anywhere in a body that say a step. */
function stepsIn(value: unknown): { email: string; step: number }[] {
  if (value === null || typeof value !== 'object') return []
  const { email, properties } = value as { email?: unknown; properties?: { step?: unknown } }
  const step = properties?.step
  const own = typeof email === 'string' && typeof step === 'number' ? [{ email, step }] : []
  return [...own, ...Object.values(value).flatMap(stepsIn)]
}

/** Of each person: events in the order of their recording, the last step, lists and consent. */
function effectsOf({ state }: KlaviyoStandIn) {
  return Array.from({ length: people }, (_, person) => {
    const email = emailOf(person)
    const profile = state.profileByEmail(email)
    const id = profile?.id ?? ''
    return {
      events: state.events.filter((event) => event.profile === id).map(({ uniqueId }) => uniqueId),
      step: profile?.properties.step,
      lists: [...state.lists.values()].filter(({ members }) => members.has(id)).map((l) => l.id),
      consent: profile?.consent.email?.status,
    }
  })
}

const expectedEffects = (sentRounds: number): ReturnType<typeof effectsOf> =>
  Array.from({ length: people }, (_, person) => ({
    events: Array.from({ length: sentRounds }, (_, round) =>
      [1, 2].map((turn) => `${emailOf(person)} ${round} ${turn}`),
    ).flat(),
    step: sentRounds * 3 - 1,
    lists: ['WELCOME', 'VIPLIST'],
    consent: 'SUBSCRIBED',
  }))
