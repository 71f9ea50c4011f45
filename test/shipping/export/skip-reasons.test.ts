import { sql } from 'drizzle-orm'
import { createLocalReq, getLocalI18n } from 'payload'
import { describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { anAddress } from '../../support/orders.js'
import { anyKind } from '../../support/store.js'
import { validatingStore } from './validating-store.js'

describe('The reasons of skipped orders', () => {
  const store = validatingStore(anyKind)

  const stored = async () => {
    const database = sqlDatabase(store.payload)
    const table = database.table('shipping-skipped-orders')
    const [row] = await database.rows(sql`select * from ${table}`)
    return row?.reasons
  }
  const overwrite = async (reasons: string) => {
    const database = sqlDatabase(store.payload)
    const table = database.table('shipping-skipped-orders')
    await database.update(table, { reasons }, sql`true`)
  }
  /** The one record as a user reads it whose admin is in this language. */
  const readIn = async (language: 'de' | 'en' | 'pl') => {
    const { config } = store.payload
    const i18n = await getLocalI18n({ config, language })
    const req = await createLocalReq({ req: { i18n, t: i18n.t } }, store.payload)
    const { docs } = await store.payload.find({
      collection: 'shipping-skipped-orders',
      depth: 0,
      req,
    })
    return docs[0] as unknown as { reasons: string; codes: unknown }
  }
  const skipOne = async () => {
    const { id } = await store.save({
      shippingAddress: anAddress({ city: '', country: 'Germany' }),
    })
    await store.overwrite(id, { taxAmount: 1.5 })
    await store.respond()
  }

  it('are stored as codes, and read in the language of the reader, with their codes', async () => {
    await skipOne()
    const codes = [
      { code: 'NO_SHIPPING_CITY' },
      { code: 'NO_SHIPPING_COUNTRY' },
      { code: 'TAX_AMOUNT_INVALID', params: { value: 1.5 } },
    ]
    expect(JSON.parse(String(await stored()))).toEqual(codes)
    expect(await readIn('en')).toMatchObject({
      reasons: [
        'Its shipping address has no city.',
        'Its shipping address has no two-letter country code.',
        "Its tax amount is stored as 1.5, which is not a whole number in the currency's smallest unit. Enter it again.",
      ].join('\n'),
      codes,
    })
    expect(await readIn('de')).toMatchObject({
      reasons: [
        'Ihre Lieferadresse hat keine Stadt.',
        'Ihre Lieferadresse hat keinen Ländercode aus zwei Buchstaben.',
        'Ihre Steuer ist als 1.5 gespeichert; das ist keine ganze Zahl in der kleinsten Einheit der Währung. Gib sie neu ein.',
      ].join('\n'),
      codes,
    })
    expect((await readIn('pl')).reasons).toContain('Jego adres wysyłki nie ma miasta.')
    // The codes alone are selected.
    const { docs } = await store.payload.find({
      collection: 'shipping-skipped-orders',
      select: { codes: true } as never,
    })
    expect(docs).toMatchObject([{ codes: [{ code: 'NO_SHIPPING_CITY' }, {}, {}] }])
    expect(store.log.text()).toContain('Its shipping address has no city.')
    expect(store.log.text()).toContain('Its tax amount is stored as 1.5')
  })

  it('stay readable as an older version stored them, until the next export, and as a newer one does', async () => {
    await skipOne()
    const older = 'It has no status.\n[It is odd.'
    await overwrite(older)
    expect(await readIn('de')).toMatchObject({ reasons: older, codes: [] })
    await overwrite('[It begins like a list.')
    expect(await readIn('de')).toMatchObject({ reasons: '[It begins like a list.' })
    await store.respond()
    expect((await readIn('de')).reasons).toContain('Ihre Lieferadresse hat keine Stadt.')
    await overwrite(JSON.stringify([{ code: 'NEW_REASON' }, { code: 'NO_STATUS' }]))
    expect(await readIn('de')).toMatchObject({
      reasons: 'NEW_REASON\nSie hat keinen Status.',
      codes: [{ code: 'NEW_REASON' }, { code: 'NO_STATUS' }],
    })
  })
})
