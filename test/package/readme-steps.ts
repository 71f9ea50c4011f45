import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const project = join(import.meta.dirname, '../..')

/** @returns What a page of the documents says: the first group. @throws when it says so no longer. */
function quote(page: string, says: RegExp): string {
  const text = says.exec(page)?.[1]
  if (text === undefined) throw new Error(`The documents no longer say ${says}.`)
  return text
}

const readme = readFileSync(join(project, 'README.md'), 'utf8')

/** The URL for ShipStation, below the store's address. */
export const shippingPath = (): string =>
  quote(readme, /URL to custom XML page: `https:\/\/your-shop\.example(\/[^`]+)`/)
