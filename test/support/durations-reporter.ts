import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Seconds by file, of those that take one or more, the longest first. */
type Durations = Record<string, number>

const durationsFile = new URL('../durations.json', import.meta.url)

/** Those of CI's last run. */
export const lastDurations = (): Durations =>
  JSON.parse(readFileSync(durationsFile, 'utf8')) as Durations

export const pathInProject = (moduleId: string): string => relative(process.cwd(), moduleId)

/** Prints the slowest files of a run. Where `CI` is set, it writes them into `test/durations.json`, too. */
export default class DurationsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const durations = durationsOf(modules)
    const slowest = Object.entries(durations).slice(0, 30)
    console.log('\nThe slowest files, in seconds:')
    for (const [file, seconds] of slowest) console.log(`${String(seconds).padStart(5)}  ${file}`)
    if (process.env.CI) writeFileSync(durationsFile, `${JSON.stringify(durations, null, 2)}\n`)
  }
}

function durationsOf(modules: readonly TestModule[]): Durations {
  const seconds = modules.map((module): [string, number] => [
    pathInProject(module.moduleId),
    Math.round(module.diagnostic().duration / 1_000),
  ])
  return Object.fromEntries(
    seconds.filter(([, time]) => time > 0).toSorted(([, one], [, other]) => other - one),
  )
}
