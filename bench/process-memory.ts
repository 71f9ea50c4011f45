import { readFileSync } from 'node:fs'

/** Resident memory of this process in KiB: now (`VmRSS`), or at its peak (`VmHWM`). */
export function processKib(of: 'VmRSS' | 'VmHWM'): number {
  // Not `resourceUsage().maxRSS`, which on Linux starts at what the parent had.
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(new RegExp(`${of}:\\s+(\\d+) kB`).exec(status)?.[1])
}
