import { afterAll, vi } from 'vitest'

// Before every file that shares its process with others.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})
