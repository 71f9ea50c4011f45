interface Group<Item> {
  items: readonly Item[]
  resolve: () => void
  reject: (error: unknown) => void
}

/** Groups in a row that fail alone before the trouble is taken to be the database and not a group. */
const failuresInARow = 3

/**
 * For a write whose cost is nearly the same for one item and for many. Calls that arrive in the same
 * tick, or while a write is going on, share the next one: so many posts at once cost one commit. Each
 * call resolves when its own items are written. `itemsAtMost` are in one write; more only when one call
 * brings more.
 */
export function groupWrites<Item>({
  write,
  itemsAtMost,
}: {
  write: (items: readonly Item[]) => Promise<void>
  itemsAtMost: number
}): (items: readonly Item[]) => Promise<void> {
  const waiting: Group<Item>[] = []
  let isWriting = false

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const groups = takeGroups(waiting, itemsAtMost)
      try {
        await write(groups.flatMap(({ items }) => items))
        for (const { resolve } of groups) resolve()
      } catch (error) {
        if (groups.length === 1) groups[0]?.reject(error)
        else await writeOneByOne(groups)
      }
    }
    isWriting = false
  }

  /** So that one that cannot be written takes no other with it. */
  const writeOneByOne = async (groups: readonly Group<Item>[]): Promise<void> => {
    let failures: unknown[] = []
    for (const { items, resolve, reject } of groups) {
      try {
        // A database that is gone would let every one of them wait for its own timeout.
        if (failures.length >= failuresInARow) throw failures.at(-1)
        await write(items)
        failures = []
        resolve()
      } catch (error) {
        failures.push(error)
        reject(error)
      }
    }
  }

  return (items) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ items, resolve, reject })
      if (isWriting) return
      isWriting = true
      // Behind whatever else came in with this tick.
      setImmediate(() => void writeAll())
    })
}

/** Takes the first groups off, as many as go into one write. */
function takeGroups<Item>(waiting: Group<Item>[], itemsAtMost: number): Group<Item>[] {
  let items = 0
  const end = waiting.findIndex((group, index) => {
    items += group.items.length
    return index > 0 && items > itemsAtMost
  })
  return waiting.splice(0, end === -1 ? waiting.length : end)
}
