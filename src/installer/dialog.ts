/** What asks and tells: a terminal. */
export interface Dialog {
  say(text: string): void
  confirm(question: string): Promise<boolean>
  choose(question: string, answers: readonly { value: string; label: string }[]): Promise<string>
  /** Says what takes long, and how long it took. */
  during(title: string, work: () => Promise<void>): Promise<void>
}
