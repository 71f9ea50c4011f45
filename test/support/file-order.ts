import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { randomFrom } from '../../dev/seed/random.ts'
import { lastDurations, pathInProject } from './durations-reporter.ts'

/**
 * Long ones first, so that no worker waits for them in the end. Those with a demo store come later, as it is
 * built meanwhile.
 */
const begins: Record<string, number> = { demo: 0.5, alone: 0, stores: 1, unit: 2 }
const shares: Record<string, number> = { demo: 0.5 }
/** Seconds from which a file is one of the first of its project. */
const long = 30

/**
 * A random order in which the files of a project follow each other, because a worker keeps its process
 * only for the next file of the same project.
 */
export default class FileOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const random = randomFrom(this.ctx.config.sequence.seed)
    const durations = lastDurations()
    const rankOf = ({ project: { name }, moduleId }: TestSpecification) => {
      const isLong = (durations[pathInProject(moduleId)] ?? 0) >= long
      const share = isLong ? 0 : (shares[name] ?? 1) * random.next()
      return (begins[name] ?? 0) + share
    }
    const ranks = new Map(files.map((file) => [file, rankOf(file)]))
    return Promise.resolve(
      files.toSorted((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0)),
    )
  }
}
