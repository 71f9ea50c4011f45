import type { SimProcess } from './sim-process.js'

/** What a process has been told, and has to remember as long as it goes on. */
interface Told {
  process: SimProcess
  troubles: number
}

/** Sees what happens, and says what must not have happened, whatever follows. It knows nothing of the code. */
export class Witness {
  readonly wrong = new Set<string>()
  lastEpoch = 0
  readonly #leases = new Set<number>()
  readonly #told = new Map<string, Told>()

  /** A process has the lease from now on. */
  takes({ name }: SimProcess, epoch: number): void {
    if (this.#leases.has(epoch)) this.wrong.add(`two have lease ${epoch}: ${name}`)
    this.#leases.add(epoch)
    this.lastEpoch = Math.max(this.lastEpoch, epoch)
  }

  /** A call leaves a process, with these events, while this lease is the newest. */
  calls(process: SimProcess, epoch: number, events: readonly string[]): void {
    const { name } = process
    if (epoch !== process.epoch) this.wrong.add(`a call without the lease: ${name}`)
    for (const id of events) {
      const told = this.#told.get(id)
      if (told && !told.process.isStopped && told.troubles === told.process.troubles) {
        this.wrong.add(`sent again: ${id}`)
      }
    }
  }

  /** A process reads that Klaviyo has these events. */
  answered(process: SimProcess, events: readonly string[]): void {
    for (const id of events) this.#told.set(id, { process, troubles: process.troubles })
  }
}
