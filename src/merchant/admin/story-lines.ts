import type { Attempt } from '../../marketing/delivery/attempt.js'
import type { StoryEntry } from '../story/story-entry.js'

/** An entry as the page shows it, and the pulls before it that say the same. */
export interface StoryLine {
  entry: StoryEntry
  /** How many pulls in turn had the order, and when the first of them was. */
  pulls?: { count: number; since: string | null }
}

/** A story without what a merchant need not read: a send that arrived is one line, and so are pulls in turn. */
export function storyLines(entries: readonly StoryEntry[]): StoryLine[] {
  const arrived = new Set(entries.flatMap((entry) => (isArrival(entry) ? [entry.send.id] : [])))
  const lines: StoryLine[] = []
  for (const entry of entries) {
    if (entry.is === 'accepted' && arrived.has(entry.send.id)) continue
    const newer = lines.at(-1)
    if (newer && entry.is === 'pull' && isSamePull(newer.entry, entry)) {
      newer.pulls = { count: (newer.pulls?.count ?? 1) + 1, since: entry.at }
    } else lines.push({ entry })
  }
  return lines
}

type OfSend = Extract<StoryEntry, { is: 'attempt' | 'delivered' }>

const isArrival = (entry: StoryEntry): entry is OfSend =>
  entry.is === 'delivered' || (entry.is === 'attempt' && hasArrived(entry.attempt))

export const hasArrived = ({ meant }: Attempt): boolean => meant === 'delivered'

const isSamePull = (newer: StoryEntry, { isAnswered }: Extract<StoryEntry, { is: 'pull' }>) =>
  newer.is === 'pull' && newer.isAnswered === isAnswered
