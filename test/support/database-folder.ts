import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const neededBytes = 1_000_000_000

/**
 * A new folder for a SQLite file, in memory where the machine has room there: SQLite waits for the disk
 * at each commit. Processes are killed in tests and the machine is not, so memory keeps as much.
 */
export const newDatabaseFolder = (name = 'storeconnect-'): string =>
  mkdtempSync(join(hasRoomInMemory() ? memory : tmpdir(), name))

function hasRoomInMemory(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > neededBytes
}
