import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databaseKinds } from '../support/store.js'
import { editionsToUpgradeFrom, readFrozenShop } from './frozen-shop.js'
import {
  linesOf,
  migrationNotes,
  readSchema,
  schemaFile,
  schemaText,
  type SchemaSnapshot,
} from './schema.js'

const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')

const whatToDo = `
A shop needs a migration for this. Do the following:
1. In CHANGELOG.md, below "Unreleased", write what has changed, and a sentence that begins with "Migrate:" and
   names each new, changed or removed collection and field in backticks, such as \`consentEmail\`.
2. Run \`npm run schema\`, and commit test/upgrades/schema.txt.
3. Run \`npx vitest run --mode full test/upgrades\`. What an old shop has stored must still be there and be understood.
`

it('The file of the schema is what the code makes', async () => {
  expect(await schemaText(), whatToDo).toBe(readFileSync(schemaFile, 'utf8'))
})

describe.each(databaseKinds)('The schema on %s', (kind) => {
  const [edition = ''] = editionsToUpgradeFrom(changelog)

  it(`has changed since ${edition} only where the changelog says "Migrate:"`, async () => {
    const now = await readSchema(kind)
    const { snapshot } = readFrozenShop(edition, kind).migration
    const before = linesOf(JSON.parse(snapshot) as SchemaSnapshot)
    const changed = [
      ...now.own.filter((line) => !before.includes(line)),
      // Tables of Payload itself change with Payload.
      ...before.filter((line) => !now.all.includes(line) && !line.startsWith('payload_')),
    ]
    const notes = migrationNotes().join('\n')
    const named = new Set([...notes.matchAll(/`([^`]+)`/g)].map(([, name = '']) => plain(name)))
    const isInBoth = (table: string) =>
      [before, now.all].every((lines) => lines.some((line) => tableOf(line) === table))
    const unnamed = changed.filter(
      (line) => !namesOf(line, isInBoth(tableOf(line))).some((name) => named.has(plain(name))),
    )
    expect(unnamed, whatToDo).toEqual([])
  })
})

const tableOf = (line: string): string => /^\w+/.exec(line)?.[0] ?? ''

/** What a note may call a line. The name of a table is enough where all of it is new or gone. */
function namesOf(line: string, isInBoth: boolean): string[] {
  const column = /^\w+\.(\w+)/.exec(line)?.[1]
  if (column === undefined || !isInBoth) return [tableOf(line)]
  return [column, column.replace(/_id$/, '')]
}

/** What slugs, fields, tables and columns have in common. */
const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
