import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import type { TestProject } from 'vitest/node'
import { fillDemoStore, newDemoStore, type FilledStore } from '../support/demo-store.ts'

declare module 'vitest' {
  interface ProvidedContext {
    filledStore: FilledStore
  }
}

/**
 * Once a test run: two files would build the demo store at the same time. The files of other projects run
 * beside it, and those of the demo store wait for it.
 */
export default async function fillBeside(project: TestProject) {
  // Two files that open it at once would both write it.
  await chromium.executablePath()
  const store = await newDemoStore()
  project.provide('filledStore', store)
  const leaving = new AbortController()
  const note = (outcome: string) => writeFileSync(outcomeFile(store), outcome)
  const filling = fillDemoStore(store, leaving.signal).then(
    () => note('filled'),
    (error: unknown) => note(String(error)),
  )
  return async () => {
    leaving.abort()
    await filling
    rmSync(store.directory, { recursive: true })
    rmSync(outcomeFile(store))
  }
}

/** `filled`, or what went wrong; undefined while it is filled. */
export function outcomeOf(store: FilledStore): string | undefined {
  const file = outcomeFile(store)
  return (existsSync(file) && readFileSync(file, 'utf8')) || undefined
}

const outcomeFile = ({ directory }: FilledStore) => `${directory}.outcome`
