import type { Slot } from './call-budget.js'
import { personOf, type CallItem } from './call-item.js'

/**
 * Gives each item a slot. Where one gets none, the later items of the same person wait with it, so
 * that nothing overtakes.
 */
export function withSlots<Item extends CallItem>(
  items: readonly Item[],
  slotFor: (item: Item) => Slot | undefined,
): { ready: { item: Item; slot: Slot }[]; waiting: Item[] } {
  const ready: { item: Item; slot: Slot }[] = []
  const waiting: Item[] = []
  const behind = new Set<string>()
  for (const item of items) {
    const person = personOf(item.message.profile)
    const slot = behind.has(person) ? undefined : slotFor(item)
    if (slot === undefined) {
      behind.add(person)
      waiting.push(item)
    } else {
      ready.push({ item, slot })
    }
  }
  return { ready, waiting }
}
