import { sql } from 'drizzle-orm'
import { de } from 'payload/i18n/de'
import { en } from 'payload/i18n/en'
import { pl } from 'payload/i18n/pl'
import { createLocalReq, getLocalI18n } from 'payload'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/database/database.js'
import { captureLog } from '../../support/captured-log.js'
import { clearStore } from '../../support/exported-orders.js'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'

describe('The reasons of skipped orders', () => {
  const log = captureLog()
  let store: TestStore
  beforeAll(async () => {
    const i18n = { supportedLanguages: { de, en, pl } }
    store = await openStore(anyKind, { config: { ...log.config, i18n } })
  })
  beforeEach(async () => {
    await clearStore(store.payload)
    log.clear()
  })
  afterAll(() => store.close())

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
    const { id } = await saveOrder(
      store.payload,
      anOrder({ shippingAddress: anAddress({ city: '', country: 'Germany' }) }),
    )
    await store.payload.db.updateOne({
      collection: 'orders',
      id,
      data: { taxAmount: 1.5 },
      returning: false,
    })
    await store.handle(exportRequest())
  }

  it('are stored as codes with what their sentences name', async () => {
    await skipOne()
    expect(JSON.parse(String(await stored()))).toEqual([
      { code: 'NO_SHIPPING_CITY' },
      { code: 'NO_SHIPPING_COUNTRY' },
      { code: 'TAX_AMOUNT_INVALID', params: { value: 1.5 } },
    ])
  })

  it('are read in the language of the reader, with their codes', async () => {
    await skipOne()
    const tax =
      "Its tax amount is stored as 1.5, which is no whole number of the currency's smallest unit. Enter it again."
    const english = await readIn('en')
    expect(english.reasons.split('\n')).toEqual([
      'Its shipping address has no city.',
      'Its shipping address has no two-letter country.',
      tax,
    ])
    const german = await readIn('de')
    expect(german.reasons.split('\n')).toEqual([
      'Ihre Lieferadresse hat keine Stadt.',
      'Ihre Lieferadresse hat keinen Ländercode aus zwei Buchstaben.',
      'Ihre Steuer ist als 1.5 gespeichert; das ist keine ganze Zahl in der kleinsten Einheit der Währung. Gib sie neu ein.',
    ])
    expect((await readIn('pl')).reasons).toContain('Jego adres wysyłki nie ma miasta.')
    expect(german.codes).toEqual(english.codes)
    expect(german.codes).toMatchObject([
      { code: 'NO_SHIPPING_CITY' },
      { code: 'NO_SHIPPING_COUNTRY' },
      { code: 'TAX_AMOUNT_INVALID', params: { value: 1.5 } },
    ])
  })

  it('are read where only their codes are selected', async () => {
    await skipOne()
    const { docs } = await store.payload.find({
      collection: 'shipping-skipped-orders',
      select: { codes: true } as never,
    })
    expect(docs).toMatchObject([{ codes: [{ code: 'NO_SHIPPING_CITY' }, {}, {}] }])
  })

  it('are English in the log', async () => {
    await skipOne()
    expect(log.text()).toContain('Its shipping address has no city.')
    expect(log.text()).toContain('Its tax amount is stored as 1.5')
  })

  it('stay readable where they were stored as sentences, until the next export', async () => {
    await skipOne()
    await overwrite('It has no status.\n[It is odd.')
    expect(await readIn('de')).toMatchObject({
      reasons: 'It has no status.\n[It is odd.',
      codes: [],
    })
    await overwrite('[It begins like a list.')
    expect(await readIn('de')).toMatchObject({ reasons: '[It begins like a list.' })
    await store.handle(exportRequest())
    expect((await readIn('de')).reasons).toContain('Ihre Lieferadresse hat keine Stadt.')
  })

  it('show the code of a newer version as it is', async () => {
    await skipOne()
    await overwrite(JSON.stringify([{ code: 'NEW_REASON' }, { code: 'NO_STATUS' }]))
    expect(await readIn('de')).toMatchObject({
      reasons: 'NEW_REASON\nSie hat keinen Status.',
      codes: [{ code: 'NEW_REASON' }, { code: 'NO_STATUS' }],
    })
  })
})
