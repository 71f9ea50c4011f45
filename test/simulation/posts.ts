import type { Fault } from '../../dev/klaviyo/faults.ts'
import type { NewSend } from '../../src/marketing/delivery/send.js'
import type { Message } from '../../src/marketing/klaviyo/message.js'
import { isGivenUp, stepOf, type Wish } from './model.js'
import { emailOf } from './people.js'
import type { SimProcess } from './sim-process.js'
import type { World } from './world.js'

export type PostStep =
  | { do: 'post'; person: number; kind: Wish['kind'] | 'leaves and returns'; at: number }
  /** Thirty at once, of so many people: one is what Klaviyo refuses, or an answer is lost. */
  | { do: 'crowd'; kind: 'event' | 'identify'; people: number; poison: number; at: number }
  /** Klaviyo refuses what somebody posts, until a merchant resends what has failed. */
  | { do: 'post what is refused'; person: number; kind: 'event' | 'identify'; at: number }
  | { do: 'resend'; at: number }
  | { do: 'leave at Klaviyo'; person: number }

type Asked = Omit<Wish, 'id' | 'askedMs'>

const ofCrowd = 30
const lostAnswer: Fault = { kind: 'reset', times: 1, isProcessed: true }
const refusedNow: Fault = { kind: 'poison', marker: 'refused at first', says: 'data' }
const leavesAndReturns = ['unsubscribe', 'subscribe'] as const

/** People who post to the shop, or leave by the link in a mail. */
export class Posts {
  readonly #leftByForm = new Set<string>()
  readonly #refusals: readonly Fault[]
  /** Whether Klaviyo refuses what it will take when it is resent. */
  #refusedNow: { remove: () => void } | undefined
  #asked = 0
  #posts = 0

  constructor(readonly world: World) {
    const says = world.scheduler.random.pick(['item', 'data'] as const)
    this.#refusals = [
      { kind: 'poison', marker: 'bad event', says },
      // Klaviyo names the field. The stand-in names the item, which would be the event that took the values along.
      { kind: 'poison', marker: 'bad identify', says: 'data' },
    ]
  }

  do(step: PostStep): void {
    if (step.do === 'resend') this.resend(this.world.processes.at(step.at))
    else if (step.do === 'leave at Klaviyo') this.#leave(step)
    else void this.#post(step)
  }

  #post(step: Extract<PostStep, { kind: string }>): Promise<void> {
    const { faults } = this.world.klaviyo
    if (step.do === 'post') {
      const kinds = step.kind === 'leaves and returns' ? leavesAndReturns : [step.kind]
      return this.post(
        step.at,
        kinds.map((kind) => wishOf(step.person, kind)),
      )
    }
    if (step.do === 'post what is refused') {
      this.#refusedNow ??= faults.add(refusedNow)
      return this.post(step.at, [{ ...wishOf(step.person, step.kind), isRefusedAtFirst: true }])
    }
    const wishes = Array.from({ length: ofCrowd }, (_, place) =>
      wishOf(place % step.people, step.kind, place === step.poison),
    )
    if (step.poison >= wishes.length) faults.add(lostAnswer)
    return this.post(step.at, wishes)
  }

  /** Resolves when it was answered, or was not stored. */
  post(at: number, wishes: readonly Asked[]): Promise<void> {
    const { processes, run, scheduler } = this.world
    const process = processes.at(at)
    if (run.of === 'functions') processes.wakeFunction(process)
    return process.run(() => {
      const acceptedAt = new Date()
      const post = ++this.#posts
      const asked = wishes.map((each) => {
        const id = `${each.kind === 'event' ? 'e' : 'm'}${++this.#asked}`
        const wish = { ...each, id, post, askedMs: scheduler.elapsedMs }
        return { wish, ends: this.#ask(wish) }
      })
      const sends: NewSend[] = asked.map(({ wish }) => ({
        key: wish.id,
        message: messageOf(wish),
        acceptedAt,
      }))
      return process.outgoing.outbox.store(sends).then(
        () => asked.forEach(({ ends }) => ends.forEach((end) => end())),
        () => undefined,
      )
    })
  }

  #ask(wish: Wish): (() => void)[] {
    const { model, forgotten } = this.world
    const ends = [model.ask(wish), forgotten.begin('visit', wish.person)]
    if (wish.kind !== 'unsubscribe') return ends
    this.#leftByForm.add(wish.person)
    return [...ends, forgotten.begin('objection', wish.person)]
  }

  /**
   * Somebody follows the link in a mail. Klaviyo knows only whom it was told of. Within minutes after a form
   * nobody can tell the two apart (`docs/decisions/0010-consent.md`).
   */
  #leave({ person }: PostStep & { do: 'leave at Klaviyo' }): void {
    const { klaviyo, forgotten, model, scheduler } = this.world
    const email = emailOf(person)
    const profile = klaviyo.state.profileByEmail(email)
    if (profile === undefined || this.#leftByForm.has(email)) return
    // Klaviyo would forget that, too, whenever it deletes the profile.
    if (forgotten.hasErasure(email)) return
    // Nobody leaves and comes back within one millisecond.
    scheduler.elapsedMs += 1
    klaviyo.people.suppress(profile.id, 'UNSUBSCRIBE')
    model.ask({
      ...wishOf(person, 'unsubscribe'),
      id: `l${++this.#asked}`,
      askedMs: scheduler.elapsedMs,
      isAtKlaviyo: true,
    })()
    scheduler.elapsedMs += 1
  }

  /** What Klaviyo refuses, it refuses always: the item, or the whole call that has it. What waits to be resent, it takes. */
  refuse(): void {
    this.#refusedNow = undefined
    for (const fault of this.#refusals) this.world.klaviyo.faults.add(fault)
  }

  /** Klaviyo takes what it has refused, and a merchant resends it. */
  resend(process: SimProcess): void {
    const { failures } = process.outgoing
    this.world.model.hasResent = true
    this.#refusedNow?.remove()
    this.#refusedNow = undefined
    const resend = async () => {
      for (const { reason } of await failures.read())
        if (!isGivenUp(reason)) await failures.resend({ reason })
    }
    process.run(resend).catch(() => undefined)
  }
}

export const wishOf = (person: number, kind: Wish['kind'], isPoison = false): Asked => ({
  person: emailOf(person),
  kind,
  isPoison,
})

function messageOf({ id, person: email, kind, isPoison, isRefusedAtFirst }: Wish): Message {
  const properties = { step: stepOf(id) }
  const marked = {
    ...properties,
    ...(isPoison && { note: `bad ${kind}` }),
    // Another property: a newer value of the same one would mend what Klaviyo always refuses.
    ...(isRefusedAtFirst && { wish: refusedNow.marker ?? '' }),
  }
  if (kind === 'event') {
    return {
      kind,
      profile: { email, properties },
      event: { name: 'Simulated', uniqueId: id, properties: marked },
    }
  }
  if (kind === 'identify') return { kind, profile: { email, properties: marked } }
  const profile = { email }
  return kind === 'subscribe'
    ? { kind, profile, list: 'WELCOME', channels: ['email'], basis: 'explicit' }
    : { kind, profile, channels: ['email'] }
}
