import type { Arrived } from './model.js'
import type { SimProcess } from './sim-process.js'
import type { World } from './world.js'

/** The calls of the processes, and what they leave at Klaviyo. */
export class KlaviyoCalls {
  /** The numbers that the profiles showed after the last call. */
  #shown: Arrived['steps'] = new Map()

  constructor(readonly world: World) {}

  /** A call of a process, on its way to Klaviyo and back. */
  async fetch(request: Request, process: SimProcess): Promise<Response> {
    const { processes, scheduler, witness } = this.world
    const { signal } = request
    const { troubles } = process
    const body = await scheduler.meanwhile(request.clone().text())
    const events = eventsOf(body)
    if (!process.isTesting) witness.calls(process, await processes.epoch(), events)
    const given = new Promise<never>((_, reject) => {
      const abort = () => reject(signal.reason as Error)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort)
    })
    given.catch(() => undefined)
    return Promise.race([this.#answer(request, process, { body, events, troubles }), given])
  }

  async #answer(
    request: Request,
    process: SimProcess,
    { body, events, troubles }: { body: string; events: readonly string[]; troubles: number },
  ): Promise<Response> {
    const { klaviyo, scheduler, witness, erasures, reviews } = this.world
    const path = pathOf(request)
    process.isTrapped('calls', path)
    const label = `to Klaviyo: ${path}`
    await scheduler.pass(process, { label, run: () => undefined, isUnderWay: true })
    if (path === subscribePath) this.#seeSubscribed(body)
    const response = await klaviyo.handle(request)
    if (response.ok) {
      erasures.hear(path, body)
      reviews.hear(body)
    }
    this.#seeTakenBack()
    const isWhole = response.ok && klaviyo.state.calls.at(-1)?.fault === undefined
    process.hears(path)
    process.isTrapped('calls', path)
    await scheduler.pass(process, { label: 'from Klaviyo', run: () => undefined })
    if (isWhole && troubles === process.troubles) witness.answered(process, events)
    return response
  }

  /** Nobody is subscribed who is. */
  #seeSubscribed(body: string): void {
    const { forgotten, witness } = this.world
    if (!forgotten.clocksAgree) return
    const { subscribed } = this.arrived()
    for (const [, email = ''] of body.matchAll(/"email":"([^"]*)"/g))
      if (subscribed.has(email)) witness.wrong.add(`subscribed again: ${email}`)
  }

  /** Nothing newer is taken back. */
  #seeTakenBack(): void {
    const { forgotten, model, witness } = this.world
    const steps = this.#steps()
    const takenBack = forgotten.clocksAgree ? model.changed(this.#shown, steps) : []
    takenBack.forEach((problem) => witness.wrong.add(problem))
    this.#shown = steps
  }

  arrived(): Arrived {
    const { state } = this.world.klaviyo
    const emails = new Map(
      [...state.profiles.values()].map(({ id, attributes }) => [id, attributes.email ?? '']),
    )
    return {
      events: state.events
        .filter(({ metric }) => metric === 'Simulated')
        .map(({ uniqueId, profile }) => ({ id: uniqueId, person: emails.get(profile) ?? '' })),
      steps: this.#steps(),
      subscriptions: state.effects
        .filter(({ kind }) => kind === 'subscribe')
        .map(({ profile }) => emails.get(profile) ?? ''),
      subscribed: new Set(
        [...state.profiles.values()]
          .filter(({ consent }) => consent.email?.status === 'SUBSCRIBED')
          .map(({ attributes }) => attributes.email ?? ''),
      ),
    }
  }

  /** The number that each profile shows. */
  #steps(): Arrived['steps'] {
    const steps = new Map<string, number>()
    for (const { attributes, properties } of this.world.klaviyo.state.profiles.values()) {
      steps.set(attributes.email ?? '', Number(properties.step))
    }
    return steps
  }
}

const subscribePath = '/api/profile-subscription-bulk-create-jobs'
const pathOf = ({ url }: Request): string => new URL(url).pathname

/** The ids of the events in a call. */
const eventsOf = (body: string): string[] =>
  [...body.matchAll(/"unique_id":"(e\d+)"/g)].map(([, id = '']) => id)
