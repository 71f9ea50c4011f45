import { isOver, type Moments, type Span } from './model.js'

type Of = Span & { person: string }
type Heard = Span & { body: string }

/** What must be so of people who ask to be forgotten, from `docs/privacy.md` alone. */
export class ErasuresModel {
  /** Whether no process has another time than the others. */
  clocksAgree = true
  readonly #erasures: Of[] = []
  /** All that brings something of a person into the shop. */
  readonly #visits: Of[] = []
  readonly #objections: Of[] = []
  /** The calls that Klaviyo has taken. */
  readonly #heard: Record<'objection' | 'deletion', Heard[]> = { objection: [], deletion: [] }

  constructor(readonly moments: Moments) {}

  /** Call what is returned when it was answered. */
  begin(what: 'erasure' | 'visit' | 'objection', person: string): () => void {
    const all = { erasure: this.#erasures, visit: this.#visits, objection: this.#objections }
    const span = this.moments.begin({ person })
    all[what].push(span)
    return () => this.moments.end(span)
  }

  hear(what: 'objection' | 'deletion', body: string): void {
    this.#heard[what].push(this.moments.begin({ body }))
  }

  hasErasure(person: string): boolean {
    return this.#erasures.some((erasure) => erasure.person === person)
  }

  /** Whether it surely came after everything that erases the person. By a clock that was set, nothing does. */
  isAfter(person: string, span: Span): boolean {
    return this.#of(person).every((erasure) => this.clocksAgree && isOver(erasure, span))
  }

  /** Whether it was there, and was surely erased. */
  isGone(person: string, span: Span): boolean {
    return this.#of(person).some((erasure) => isOver(span, erasure) && erasure.ended !== undefined)
  }

  /** Whether nobody has heard of the person again since they were erased. */
  isForgotten(person: string): boolean {
    const own = this.#visits.filter((visit) => visit.person === person)
    return this.#of(person).some(
      (erasure) => erasure.ended !== undefined && own.every((visit) => isOver(visit, erasure)),
    )
  }

  /** An objection is never dropped, and Klaviyo has it before it deletes the profile. */
  problems(): string[] {
    return this.#objections
      .filter(({ person, ended }) => ended !== undefined && this.hasErasure(person))
      .flatMap((objection) => {
        const { person } = objection
        const heard = this.#heardOf('objection', objection)
        const [erasure, ...others] = this.#of(person)
        const deleted = this.#heard.deletion.find(({ body }) => body.includes(person))
        if (heard === undefined) return [`objection: ${person} is not heard`]
        const isLate =
          erasure !== undefined &&
          others.length === 0 &&
          isOver(objection, erasure) &&
          deleted !== undefined &&
          deleted.begun < heard.begun
        return isLate ? [`objection: ${person} is heard after the deletion`] : []
      })
  }

  #of(person: string): Of[] {
    return this.#erasures.filter((erasure) => erasure.person === person)
  }

  #heardOf(what: 'objection' | 'deletion', since: Of): Heard | undefined {
    return this.#heard[what].find(
      ({ body, begun }) => begun > since.begun && body.includes(since.person),
    )
  }
}
