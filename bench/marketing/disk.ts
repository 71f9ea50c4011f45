import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tell } from '../goals.js'
import { quantile } from './rounds.js'

/** What a write costs here that is on the disk: where it is little, sharing one saves little. */
export function tellOfDisk(): void {
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-disk-'))
  const file = openSync(join(directory, 'file'), 'w')
  const times = Array.from({ length: 200 }, () => {
    const start = performance.now()
    writeSync(file, Buffer.alloc(4096, 1))
    fsyncSync(file)
    return performance.now() - start
  })
  closeSync(file)
  rmSync(directory, { recursive: true })
  tell(
    `4 KiB to this disk, with fsync (p99 ${quantile(times, 0.99).toFixed(2)} ms)`,
    `${quantile(times, 0.5).toFixed(2)} ms`,
  )
}
