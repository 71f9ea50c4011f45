/** A write whose cost is nearly the same for one item and for many. */
export interface GroupedWritesParts<Item> {
  /** Writes all of them or none. */
  write: (items: readonly Item[]) => Promise<void>
  /** Items in one write; more only when one call brings more. */
  itemsAtMost: number
}

interface Group<Item> {
  items: readonly Item[]
  resolve: () => void
  reject: (error: unknown) => void
}

/** Groups in a row that fail alone before the trouble is taken to be the database and not a group. */
const failuresInARow = 3

/**
 * Calls that arrive in the same tick, or while a write is going on, share the next write: so many
 * posts at once cost one commit. Each call resolves when its own items are written.
 */
export function groupWrites<Item>({
  write,
  itemsAtMost,
}: GroupedWritesParts<Item>): (items: readonly Item[]) => Promise<void> {
  const waiting: Group<Item>[] = []
  let isWriting = false

  const writeAll = async () => {
    while (waiting.length > 0) await writeTogether(takeGroups(waiting, itemsAtMost), write)
    isWriting = false
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

async function writeTogether<Item>(
  groups: readonly Group<Item>[],
  write: GroupedWritesParts<Item>['write'],
): Promise<void> {
  try {
    await write(groups.flatMap(({ items }) => items))
    for (const { resolve } of groups) resolve()
  } catch (error) {
    const [only] = groups
    if (only && groups.length === 1) only.reject(error)
    else await writeOneByOne(groups, write)
  }
}

/** So that one that cannot be written takes no other with it. */
async function writeOneByOne<Item>(
  groups: readonly Group<Item>[],
  write: GroupedWritesParts<Item>['write'],
): Promise<void> {
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
