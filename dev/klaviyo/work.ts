interface Task {
  at: number
  run: () => void
}

/** What is to be done later on a clock that somebody else moves: it is looked at, it does not ring. */
export class Work {
  #waiting: Task[] = []
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  add(run: () => void, seconds: number): void {
    this.#waiting.push({ at: this.#now() + seconds * 1000, run })
  }

  runDue(): void {
    if (this.#waiting.length > 0) this.#run(this.#now())
  }

  runAll(): void {
    this.#run(Infinity)
  }

  #run(until: number): void {
    const due = this.#waiting.filter(({ at }) => at <= until)
    this.#waiting = this.#waiting.filter(({ at }) => at > until)
    for (const { run } of due.sort((one, other) => one.at - other.at)) run()
  }
}
