import { availableParallelism } from 'node:os'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** What a proof has counted, by the words that say what. */
export type Figures = Record<string, number>

declare module 'vitest' {
  interface TaskMeta {
    figures?: Figures
  }
}

/** Prints what proofs have counted, at the end, to be pasted: `--reporter=./test/support/figures-reporter.ts`. */
export default class FiguresReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap(({ children }) => [...children.allTests()])
    console.log(`\nNode.js ${process.versions.node}, ${availableParallelism()} cores`)
    for (const test of tests) console.log(linesOf(test).join('\n'))
  }
}

function linesOf(test: TestCase): string[] {
  const { state, errors = [] } = test.result()
  const seconds = Math.round((test.diagnostic()?.duration ?? 0) / 1_000)
  const figures = Object.entries(test.meta().figures ?? {})
  return [
    `\n${test.fullName}: ${state} in ${seconds.toLocaleString('en')} s`,
    ...figures.map(([name, value]) => `  ${value.toLocaleString('en').padStart(9)}  ${name}`),
    ...errors.map(({ message }) => `  FAILED: ${message}`),
  ]
}
