import { sql } from 'drizzle-orm'
import { column, columnOrNull, type PayloadTable, type Row } from '../../core/database/database.js'
import { readDocumentId } from '../../core/database/document-id.js'
import { jsonDialect } from '../../core/database/json-rows.js'
import { textOf } from '../../core/payload/document-value.js'
import type { Translator } from '../../core/payload/label.js'
import type { Shop } from '../../core/shop.js'
import { consentColumns, type CheckoutConsent } from '../../marketing/consent/checkout-consent.js'
import type { ConsentParts } from '../../marketing/consent/parts.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import { sendsSlug } from '../../marketing/delivery/send-table.js'
import type { ProfileConsents } from '../../marketing/klaviyo/find-consents.js'
import { klaviyoErrorText } from '../../marketing/klaviyo/klaviyo-error-text.js'
import type { Channel } from '../../marketing/klaviyo/message.js'
import type { KlaviyoParts } from '../../marketing/klaviyo/parts.js'
import type { Profile } from '../../marketing/klaviyo/profile.js'
import type { MarketingSettingsParts } from '../../marketing/settings/parts.js'
import { createMarketingStory } from '../story/marketing-story.js'
import type { StoredSend } from '../story/story-entry.js'
import { idsOfPerson, type Who } from './who.js'
import type {
  KlaviyoProfile,
  PersonAtKlaviyo,
  PersonConsent,
  PersonProof,
  PersonSend,
} from './person.js'

/** A page shows the newest. */
const mostSends = 50
const mostProofs = 20

/** A person waits for the answer, and other people's mails must not wait for it. */
const askMs = 5_000

export type PersonMarketing = ReturnType<typeof createPersonMarketing>

/** What the page of a person has of Klaviyo. */
export function createPersonMarketing(
  shop: Shop,
  {
    sends,
    sendWaits,
    keptProofs,
    klaviyo,
    marketingSettings,
  }: DeliveryParts & ConsentParts & KlaviyoParts & MarketingSettingsParts,
) {
  const { payload, database, options, effects } = shop
  const story = createMarketingStory(shop, { sends, sendWaits })
  const orders = database.table(options.collections.orders)
  const json = jsonDialect(database)
  const s = sends.as('s')

  return {
    /** To select with each order. */
    columns: story.columns,

    accountColumns: (customers: PayloadTable) => story.customerColumns(customers),

    /** What the account says that Klaviyo has. */
    consentsOf: (account: Row): PersonConsent[] =>
      story.consentsOf(account).map(({ since, ...consent }) => ({
        ...consent,
        ...(since && { since: since.toISOString() }),
      })),

    proofsOf: (order: Row, reference: string): PersonProof[] =>
      proofsOf(story.consentOf(order), reference),

    /** Whom a send is about: the id of the account, and the key of the profile. */
    async ofSend(text: string) {
      const id = readDocumentId(payload, sendsSlug, text)
      if (id === undefined) return undefined
      const [send] =
        await database.rows(sql`select ${s.account} as "account", ${s.profile} as "profile"
        from ${sends.table} as "s" where ${s.id} = ${id}`)
      return send && { account: textOf(send.account), profile: String(send.profile) }
    },

    /** The newest sends, and the emails in them as they were typed. */
    async sends({ account, profiles }: Who, translate: Translator) {
      const found = await story.sendsOfPerson({ account: account?.id, profiles }, mostSends)
      return {
        sends: found.map((send) => personSend(send, translate)),
        emails: found.flatMap(({ email }) => email ?? []),
      }
    },

    /** The proofs of deleted orders. */
    async keptProofs(who: Who, emails: readonly string[]): Promise<PersonProof[]> {
      const id = column(keptProofs, 'id')
      const byEmail = database.isOneOf(column(keptProofs, 'email'), emails)
      const rows = await database.rows(sql`select ${column(keptProofs, 'reference')} as "reference",
          ${json.array(consentColumns(keptProofs))} as "consent"
        from ${keptProofs} where ${id} in (${idsOfPerson(who, { table: keptProofs, customer: 'customer', ofGuests: [byEmail] })})
          and not exists (select 1 from ${orders}
            where ${columnOrNull(orders, options.fields.number)} = ${id})
        order by ${column(keptProofs, 'createdAt')} desc limit ${mostProofs}`)
      return rows.flatMap((row) => proofsOf(story.consentOf(row), textOf(row.reference) ?? ''))
    },

    /** Asks Klaviyo, with a call for the emails and one for the phone numbers. */
    async atKlaviyo(
      { emails, phoneNumbers }: Who,
      translate: Translator,
    ): Promise<PersonAtKlaviyo> {
      const { privateApiKey: apiKey } = await marketingSettings.get()
      if (apiKey === '') return { is: 'unknown', problem: translate('apiKeyMissing') }
      const profiles: Profile[] = [
        ...emails.map((email) => ({ email })),
        ...phoneNumbers.map((phoneNumber) => ({ phoneNumber })),
      ]
      const asked = { apiKey, signal: effects.deadline(askMs) }
      const answer = await klaviyo.findConsents(profiles, asked)
      if ('failed' in answer) {
        const { error } = answer.failed
        return { is: 'unknown', problem: `${klaviyoErrorText(error, translate)} (${error.code})` }
      }
      const found = [...new Set(answer.consents.values())]
      const known = new Set(found.flatMap(({ address }) => Object.values(address).map(lowerCase)))
      const wanted = [...emails.map(lowerCase), ...(found.length === 0 ? phoneNumbers : [])]
      return {
        is: 'known',
        profiles: found.map(klaviyoProfile),
        unknownAddresses: [...new Set(wanted)].filter((address) => !known.has(address)),
      }
    },
  }
}

const lowerCase = (text: string) => text.toLowerCase()

function klaviyoProfile({
  id,
  address,
  email,
  sms,
  suppressions,
}: ProfileConsents): KlaviyoProfile {
  const moment = (since: Date | undefined) => since && { since: since.toISOString() }
  return {
    id,
    address: address.email ?? address.phoneNumber ?? '',
    consents: [
      { channel: 'email', status: email.status, ...moment(email.since) },
      { channel: 'sms', status: sms.status, ...moment(sms.since) },
    ],
    suppressions: suppressions.map(({ reason, since }) => ({ reason, ...moment(since) })),
  }
}

function personSend(send: StoredSend, translate: Translator): PersonSend {
  const { id, kind, metric, state, acceptedAt, sentAt, wait, code, error } = send
  return {
    id,
    kind,
    ...(metric !== undefined && { metric }),
    state,
    at: (sentAt ?? acceptedAt).toISOString(),
    ...(state !== 'sent' &&
      error !== '' && { reason: klaviyoErrorText({ code, detail: error }, translate) }),
    ...(wait && { wait }),
  }
}

const proofsOf = (consent: CheckoutConsent, reference: string): PersonProof[] =>
  Object.entries(consent).map(([channel, { given, wording, version, page, at }]) => ({
    channel: channel as Channel,
    given,
    wording,
    version,
    page,
    ...(at && { at: at.toISOString() }),
    reference,
  }))
