/** What asks and tells: a terminal. */
export interface Dialog {
  say(text: string): void
  confirm(question: string): Promise<boolean>
  choose(question: string, answers: readonly { value: string; label: string }[]): Promise<string>
  /** Says what takes long, and how long it took. */
  during<Result>(title: string, work: () => Promise<Result>): Promise<Result>
  /** Whether somebody can answer what a command asks that runs in the same terminal. */
  hasPerson: boolean
}
