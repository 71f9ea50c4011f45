import { afterAll, afterEach, expect } from 'vitest'

// Payload prints the key of a text that the reader's language lacks, also while a store is opened.
const missing: string[] = []
const print = console.log
console.log = (...said: unknown[]) => {
  if (said[0] === 'key not found:') missing.push(String(said[1]))
  else print(...said)
}

const expectNone = () => expect(missing.splice(0)).toEqual([])

afterEach(expectNone)
afterAll(() => {
  console.log = print
  expectNone()
})
