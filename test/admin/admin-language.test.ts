import { randomUUID } from 'node:crypto'
import { getPayload, handleEndpoints, type BasePayload } from 'payload'
import { de } from 'payload/i18n/de'
import { en } from 'payload/i18n/en'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPageTexts } from '../../src/translations/page-texts.js'
import { closeInstance } from '../support/close-instance.js'
import { storeDatabase } from '../support/own-database.js'
import { storeConfig } from '../support/store-config.js'

// A part of the words only, as a store that began to translate has them.
const german = { storeField: 'Feld des Lagers', settingsIntro: 'Wie ShipStation herfindet.' }

describe('An admin that speaks German', () => {
  let payload: BasePayload
  let ask: (path: string, posted: object) => Promise<unknown>
  let closing: (() => Promise<void>)[]

  beforeAll(async () => {
    const database = await storeDatabase('sqlite')
    const i18n = {
      supportedLanguages: { en, de },
      translations: { de: { storeconnect: german } },
    }
    const config = await storeConfig({ kind: 'sqlite', url: database.url, config: { i18n } })
    const payloadInstanceCacheKey = randomUUID()
    payload = await getPayload({ config, key: payloadInstanceCacheKey })
    closing = [() => closeInstance(payload), () => database.remove()]
    const data = { email: 'admin@example.com', password: 'a-password', roles: ['admin'] }
    await payload.create({ collection: 'users', data })
    const { token } = await payload.login({ collection: 'users', data })
    ask = async (path, posted) => {
      const request = new Request(`https://shop.example/api${path}`, {
        method: 'POST',
        headers: {
          'accept-language': 'de',
          'content-type': 'application/json',
          ...(path.startsWith('/globals/shipping') && { authorization: `JWT ${token}` }),
        },
        body: JSON.stringify(posted),
      })
      return (await handleEndpoints({ config, request, payloadInstanceCacheKey })).json()
    }
  })
  afterAll(async () => {
    for (const close of closing) await close()
  })

  it('says in German what is translated, and in English what is not', async () => {
    const answer = await ask('/globals/shipping-settings', { storeField: 'gone' })
    expect(answer).toMatchObject({
      errors: [
        {
          data: {
            errors: [
              {
                label: 'Feld des Lagers',
                message: 'The orders have no dropdown field of this name.',
              },
            ],
          },
        },
      ],
    })
  })

  it('describes the settings in each language', () => {
    const described = (slug: string) =>
      payload.config.globals.find((global) => global.slug === slug)?.admin?.description
    expect(described('shipping-settings')).toEqual({
      en: 'How ShipStation reaches this shop.',
      de: 'Wie ShipStation herfindet.',
    })
    expect(described('marketing-settings')).toEqual({
      en: 'How this shop reaches Klaviyo.',
      de: 'How this shop reaches Klaviyo.',
    })
  })

  it.each(['/storeconnect/resend-reason', '/globals/marketing-settings/test-connection'])(
    'tells strangers in German that %s is not for them',
    async (path) => {
      expect(await ask(path, {})).toMatchObject({
        errors: [{ message: 'Du hast keine Berechtigung, diese Aktion auszuführen.' }],
      })
    },
  )

  it('does not make a page German whose words nobody translated', () => {
    expect(createPageTexts(payload)('de')).toMatchObject({
      language: 'en',
      logIn: { heading: 'Log In' },
    })
  })
})
