interface Group<Item> {
  items: readonly Item[]
  resolve: () => void
  reject: (error: unknown) => void
}

/** After this many failures in a row the cause is taken to be the database, not a group. */
const failuresInARow = 3

/**
 * Joins writes that cost nearly the same for one item and for many. One has at most `itemsAtMost` items, or
 * those of one call.
 */
export function groupWrites<Item>(
  itemsAtMost: number,
  write: (items: readonly Item[]) => Promise<void>,
): (items: readonly Item[]) => Promise<void> {
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

  /** Writes each group alone, so that a bad group does not fail the others. */
  const writeOneByOne = async (groups: readonly Group<Item>[]): Promise<void> => {
    let failures: unknown[] = []
    for (const { items, resolve, reject } of groups) {
      try {
        // When the database is gone, the remaining groups must not each wait for a timeout.
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
      // Runs after everything else that arrives in this tick.
      setImmediate(() => void writeAll())
    })
}

/** Removes the first groups, as many as fit into one write. */
function takeGroups<Item>(waiting: Group<Item>[], itemsAtMost: number): Group<Item>[] {
  let items = 0
  const end = waiting.findIndex((group, index) => {
    items += group.items.length
    return index > 0 && items > itemsAtMost
  })
  return waiting.splice(0, end === -1 ? waiting.length : end)
}
