import type { CallLog, CallLogStore } from '../../../src/delivery/call-log.js'
import type { CallName } from '../../../src/marketing/platform.js'

/** Call logs in memory, written by compare-and-set as those in the database are. */
export function memoryCallLogs(): CallLogStore {
  const logs = new Map<CallName, { log: CallLog; version: number }>()
  const read = (call: CallName) => logs.get(call) ?? { log: { calls: [] }, version: 0 }
  return {
    read: (call) => Promise.resolve(structuredClone(read(call))),
    write(call, log, readVersion) {
      if (read(call).version !== readVersion) return Promise.resolve(false)
      logs.set(call, { log: structuredClone(log), version: readVersion + 1 })
      return Promise.resolve(true)
    },
  }
}
