import { createLocalReq, getLocalI18n, type BasePayload, type Field } from 'payload'
import { cs } from 'payload/i18n/cs'
import { de } from 'payload/i18n/de'
import { en } from 'payload/i18n/en'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { partsOf } from '../../support/parts.js'
import { givenUpDetail } from '../../../src/marketing/klaviyo/klaviyo-error-text.js'
import { adminGroup } from '../../../src/core/payload/label.js'
import { allTranslations } from '../../../src/core/translations/translations.js'
import { apiOf, type Api } from '../../support/api-of.js'
import { openStore, type TestStore } from '../../support/store.js'

const translations = await allTranslations()

// The store's own words for some of the texts. We have no Czech at all.
const german = { storeField: 'Feld des Lagers', settingsIntro: 'Wie ShipStation herfindet.' }
const czech = { settingsIntro: 'Jak se ShipStation dostane sem.' }

type Translate = (key: string) => string

/** Whether a page is ours: the menu, the overview or a tab of the settings leads to it. */
const isOurs = ({ slug, admin }: { slug: string; admin?: { hidden?: unknown } }): boolean =>
  admin?.hidden !== true &&
  /^(?:storeconnect|marketing|shipping)|^alert-settings$|^sites$/.test(slug)

/** The paths of the visible fields whose texts are in one language only, or are keys that no language has. */
const untranslated = (fields: Field[], path: string, t: Translate): string[] =>
  fields.flatMap((field) => {
    const isShown = field.type !== 'ui' && !('hidden' in field && field.hidden)
    if (!isShown || field.admin?.hidden) return []
    const place = 'name' in field ? `${path}.${field.name}` : path
    const { label } = field as { label?: unknown }
    const texts = [label, ...('labels' in field ? Object.values(field.labels ?? {}) : [])]
    const isWrong = texts.some((text) => {
      if (typeof text !== 'function') return typeof text === 'string'
      return /^[\w-]+:\w+$/.test(String((text as (about: object) => unknown)({ t })))
    })
    const tabs = field.type === 'tabs' ? field.tabs : []
    return [
      ...(isWrong ? [place] : []),
      ...('fields' in field ? untranslated(field.fields, place, t) : []),
      ...tabs.flatMap((tab) => untranslated(tab.fields, place, t)),
    ]
  })

interface Reader {
  language?: string
  isStranger?: boolean
}

describe('An admin that speaks German and Czech', () => {
  let store: TestStore
  let payload: BasePayload
  let api: Api

  beforeAll(async () => {
    const i18n = {
      supportedLanguages: { en, de, cs },
      translations: { de: { storeconnect: german }, cs: { storeconnect: czech } },
    }
    store = await openStore('sqlite', { config: { i18n } })
    payload = store.payload
    api = apiOf(store)
  })
  afterAll(() => store.close())

  const speaking = (language: string) => ({ headers: { 'accept-language': language } })
  const read = async (path: string, language: string): Promise<unknown> =>
    (await api(path, { as: 'admin', ...speaking(language) })).json()
  const ask = async (
    path: string,
    body: object,
    { language = 'de', isStranger = false }: Reader = {},
  ): Promise<unknown> => {
    const as = isStranger ? undefined : 'admin'
    return (await api(path, { as, body, ...speaking(language) })).json()
  }

  it.each([
    [
      'de',
      'Bestellungen an ShipStation > Feld des Lagers',
      'Die Bestellungen haben kein Auswahlfeld dieses Namens.',
    ],
    [
      'en',
      'Orders to ShipStation > Select Shipping Store field',
      'The orders have no dropdown field of this name.',
    ],
    [
      'cs',
      'Orders to ShipStation > Select Shipping Store field',
      'The orders have no dropdown field of this name.',
    ],
  ])(
    "says in %s the store's own words, then ours, and in English what is in neither",
    async (language, label, message) => {
      expect(
        await ask('/globals/shipping-settings', { storeField: 'gone' }, { language }),
      ).toMatchObject({ errors: [{ data: { errors: [{ label, message }] } }] })
    },
  )

  it.each([
    ['de', 'Das Formular oder der Link ist ungültig.'],
    ['cs', 'The field "reason" is not valid.'],
  ])('refuses in %s what an endpoint cannot use, and strangers', async (language, message) => {
    const path = '/storeconnect/resend-reason'
    expect(await ask(path, { reason: 7 }, { language })).toEqual({ errors: [{ message }] })
    expect(await ask(path, {}, { isStranger: true })).toMatchObject({
      errors: [{ message: 'Du hast keine Berechtigung, diese Aktion auszuführen.' }],
    })
  })

  it('says in German what is wrong with the email of a person to erase', async () => {
    const erase = (email: string) => ask('/marketing-erasures/erase', { email })
    expect(await erase('nobody')).toEqual({
      errors: [{ message: 'Das ist keine E-Mail-Adresse.' }],
    })
    expect(await erase('admin@example.com')).toEqual({
      errors: [{ message: 'Das ist das Konto eines Admins. Entziehe ihm zuerst die Rolle.' }],
    })
  })

  it('shows what an alert is about in the language of its reader, and the code to a program', async () => {
    const alert = { id: 'noPull-1', condition: 'noPull', begunAt: new Date().toISOString() }
    await payload.db.create({ collection: 'storeconnect-alerts', data: alert })
    const i18n = await getLocalI18n({ config: payload.config, language: 'de' })
    const req = await createLocalReq({ req: { i18n, t: i18n.t } }, payload)
    expect(await payload.find({ collection: 'storeconnect-alerts', req })).toMatchObject({
      docs: [{ condition: 'ShipStation fragt nicht nach Bestellungen, obwohl bezahlte warten' }],
    })
    expect(await read('/storeconnect-alerts', 'de')).toMatchObject({
      docs: [{ condition: 'noPull' }],
    })
  })

  it('gives the reason of a failed send in the language of its reader, unless it is Klaviyo', async () => {
    const failed = { state: 'failed', kind: 'event', profile: 'email:a@example.com', message: {} }
    const send = (key: string, code: string, detail: string) =>
      payload.db.create({
        collection: 'marketing-sends',
        data: { ...failed, key, error: { code, detail }, lastAttempts: [{ code, detail }] },
      })
    await send('ours', 'TIMEOUT', 'Klaviyo did not answer in time.')
    await send('after days', 'TIMEOUT', givenUpDetail('Klaviyo did not answer in time.'))
    await send('theirs', 'invalid', 'The event is wrong.')
    const details = async (language: string) => {
      const { docs } = (await read('/marketing-sends?sort=id', language)) as {
        docs: { error: { detail: string }; lastAttempts: { detail: string }[] }[]
      }
      for (const { error, lastAttempts } of docs)
        expect(lastAttempts).toMatchObject([{ detail: error.detail }])
      return docs.map(({ error }) => error.detail)
    }
    expect(await details('de')).toEqual([
      'Klaviyo hat nicht rechtzeitig geantwortet.',
      'Nach Tagen vergeblicher Versuche aufgegeben. Klaviyo hat nicht rechtzeitig geantwortet.',
      'The event is wrong.',
    ])
    expect(await details('cs')).toEqual([
      'Klaviyo did not answer in time.',
      'Given up after days of tries. Klaviyo did not answer in time.',
      'The event is wrong.',
    ])
  })

  it('has the overview and the settings in its menu, and nothing else', () => {
    const { collections, globals } = payload.config
    const listed = [...collections, ...globals].filter(({ admin }) => admin?.group === adminGroup)
    expect(listed.map(({ slug }) => slug)).toEqual(['storeconnect', 'shipping-settings'])
  })

  it('names each list and each entry of its menu differently in every language', () => {
    const { collections, globals } = payload.config
    const titles = [
      ...collections.filter(isOurs).map(({ labels }) => labels.plural),
      ...globals.filter(({ admin }) => admin?.group === adminGroup).map((global) => global.label),
    ]
    expect(titles).toHaveLength(10)
    for (const [language, words] of Object.entries(translations)) {
      const t = (key: string) => words[key.replace('storeconnect:', '') as keyof typeof words]
      const names = titles.map((title) => (title as (about: object) => unknown)({ t }))
      expect([language, names]).toEqual([language, [...new Set(names)]])
    }
  })

  it('has no field whose label is in one language only', async () => {
    const { collections, globals } = payload.config
    const i18n = await getLocalI18n({ config: payload.config, language: 'de' })
    const ours = [...collections, ...globals].filter(
      (page) => isOurs(page) || page.slug === 'carts' || page.slug === 'orders',
    )
    expect(ours.length).toBeGreaterThan(10)
    const found = ours.flatMap(({ slug, fields }) =>
      untranslated(fields, slug, i18n.t as Translate),
    )
    // The test store's own fields.
    expect(found.filter((path) => !/^orders\.(?:warehouse|parcels|reason)/.test(path))).toEqual([])
  })

  it('describes the settings in each language', () => {
    const described = (slug: string) =>
      payload.config.globals.find((global) => global.slug === slug)?.admin?.description
    expect(described('shipping-settings')).toEqual({
      en: 'How ShipStation reaches this shop.',
      de: 'Wie ShipStation herfindet.',
      cs: 'Jak se ShipStation dostane sem.',
    })
    expect(described('marketing-settings')).toEqual({
      en: 'How this shop reaches Klaviyo.',
      de: 'Wie dieser Shop Klaviyo erreicht.',
      cs: 'How this shop reaches Klaviyo.',
    })
  })

  it('does not make a page Czech whose words nobody translated', async () => {
    expect(await partsOf(payload).texts({ language: 'cs' }, new Headers())).toMatchObject({
      language: 'en',
      logIn: { heading: 'Log In' },
    })
  })
})
