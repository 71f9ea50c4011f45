import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
/** For the files of SQLite. */
const gigabyte = 1_000_000_000

/**
 * A new folder for a database, in memory where the machine has room there: SQLite waits for the disk at
 * each commit, and PostgreSQL copies a thousand files for each test's database. Processes are killed in
 * tests and the machine is not, so memory keeps as much.
 */
export const newDatabaseFolder = (name = 'storeconnect-', neededBytes = gigabyte): string =>
  mkdtempSync(join(hasRoomInMemory(neededBytes) ? memory : tmpdir(), name))

/** For PostgreSQL, with its log of a gigabyte. */
export const newServerFolder = (): string =>
  newDatabaseFolder('storeconnect-databases-', 4 * gigabyte)

function hasRoomInMemory(neededBytes: number): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > neededBytes
}
