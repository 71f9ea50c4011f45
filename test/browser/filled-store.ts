import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { fillDemoStore, type FilledStore } from '../support/demo-store.ts'

declare module 'vitest' {
  interface ProvidedContext {
    filledStore: FilledStore
  }
}

/** Once a test run: two files would build the demo store at the same time. */
export default async function fillOnce(project: TestProject) {
  const filled = await fillDemoStore()
  project.provide('filledStore', filled)
  return () => rmSync(filled.directory, { recursive: true })
}
