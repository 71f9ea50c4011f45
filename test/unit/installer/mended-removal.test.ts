import { describe, expect, it } from 'vitest'
import { mendedRemoval } from '../../../src/installer/mended-removal.js'

// As Payload writes them. test/stores/migrations/removal.test.ts runs whole ones.
const migration = (up: string, down: string) => `import { MigrateUpArgs } from '@payloadcms/db'

export async function up({ db, payload, req }: MigrateUpArgs): Promise<void> {
${up}
}

export async function down({ db, payload, req }: MigrateDownArgs): Promise<void> {
${down}
}
`

describe('The migration of a removal', () => {
  it('drops on PostgreSQL what a dropped table may have taken along', () => {
    const up = `  await db.execute(sql\`
   DROP TABLE "sites" CASCADE;
  ALTER TABLE "orders" DROP CONSTRAINT "orders_site_id_sites_id_fk";

  DROP INDEX "orders_site_idx";
  ALTER TABLE "orders" DROP COLUMN "site_id";\`)`
    const mended = up
      .replace('CONSTRAINT "', 'CONSTRAINT IF EXISTS "')
      .replace('INDEX "', 'INDEX IF EXISTS "')
    expect(mendedRemoval('postgres', migration(up, up))).toBe(migration(mended, mended))
  })

  it('keeps foreign keys off on SQLite from its beginning to its end', () => {
    const statements = [
      'DROP TABLE \\`sites\\`;',
      'PRAGMA foreign_keys=OFF;',
      'DROP TABLE \\`carts\\`;',
      'PRAGMA foreign_keys=ON;',
      'DROP TABLE \\`orders\\`;',
    ]
    const body = statements.map((each) => `  await db.run(sql\`${each}\`)`).join('\n')
    const mended = mendedRemoval('sqlite', migration(body, body)) ?? ''
    const [, up = '', down = ''] = mended.split('export async function')
    for (const written of [up, down]) {
      expect([...written.matchAll(/sql`(.*)`/g)].map(([, each]) => each)).toEqual([
        'PRAGMA foreign_keys=OFF;',
        'PRAGMA foreign_keys;',
        'DROP TABLE \\`sites\\`;',
        'DROP TABLE \\`carts\\`;',
        'DROP TABLE \\`orders\\`;',
        'PRAGMA foreign_keys=ON;',
      ])
    }
  })

  it.each([
    ['without a way back', migration('', '').replace(/export async function down.*/s, '')],
    ['of another form', migration('', '').replaceAll('async function', 'const')],
    ['that is empty', ''],
  ])('is left alone %s', (_, text) => {
    for (const database of ['sqlite', 'postgres'] as const)
      expect(mendedRemoval(database, text)).toBeUndefined()
  })
})
