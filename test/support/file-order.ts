import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { randomFrom } from '../../dev/seed/random.ts'

/** Long ones first, so that no worker waits for them in the end. */
const projects = ['demo', 'alone', 'stores', 'unit']

/**
 * A random order in which the files of a project follow each other, because a worker keeps its process
 * only for the next file of the same project.
 */
export default class FileOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const random = randomFrom(this.ctx.config.sequence.seed)
    const rankOf = ({ project }: TestSpecification) =>
      projects.indexOf(project.name) + random.next()
    const ranks = new Map(files.map((file) => [file, rankOf(file)]))
    return Promise.resolve(
      files.toSorted((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0)),
    )
  }
}
