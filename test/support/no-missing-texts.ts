import { afterEach, beforeEach, expect, vi, type MockInstance } from 'vitest'

// Payload prints the key of a text that the reader's language lacks.
let missing: string[] = []
let printing: MockInstance | undefined

beforeEach(() => {
  missing = []
  const print = console.log
  printing = vi.spyOn(console, 'log').mockImplementation((...said: unknown[]) => {
    if (said[0] === 'key not found:') missing.push(String(said[1]))
    else print(...said)
  })
})

afterEach(() => {
  printing?.mockRestore()
  expect(missing).toEqual([])
})
