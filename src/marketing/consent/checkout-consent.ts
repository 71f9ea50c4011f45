import {
  consentField,
  giverFields,
  formerCustomerField,
  ownNote,
} from '../../shop/orders/order-fields.js'
import { sql, type SQL } from 'drizzle-orm'
import type {
  Field,
  FieldAccess,
  NamedGroupField,
  BasePayload,
  CollectionBeforeDeleteHook,
  CollectionConfig,
  PayloadRequest,
} from 'payload'
import * as z from 'zod/mini'
import {
  columnOrNull,
  optionalColumn,
  type Database,
  type PayloadTable,
  type Row,
} from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { noteInDocument } from '../../core/database/document-tables.js'
import type { Values } from '../../core/database/json-rows.js'
import { invalidParameter } from '../../core/http/parameter-tree.js'
import { textParameter, type ParameterTree } from '../../core/http/parameters.js'
import { createSigner } from '../../core/signing.js'
import type { Channel } from '../klaviyo/message.js'
import { valueAt, textOf } from '../../core/payload/document-value.js'
import { label } from '../../core/payload/label.js'
import { internalCollection } from '../../core/database/internal-collection.js'

export interface ConsentProof {
  given: boolean
  /** What the shopper read beside the box. */
  wording: string
  version: string
  /** When the shop received the answer. */
  at: Date | undefined
  /** The URL of the page. */
  page: string
  /** For SMS: the number as the shopper wrote it. */
  phone: string
}

/** The answers of a checkout; a channel that was not asked about is absent. */
export type CheckoutConsent = Partial<Record<Channel, ConsentProof>>

export interface ConsentGiver {
  /** The mark of a guest's session. A customer has none: the account's email says who it is. */
  session: string | undefined
  /** The address that was given with the answer: that of the account, else the one in the same form. */
  email: string | undefined
}

const proofFields = ['given', 'wording', 'version', 'at', 'page', 'phone'] as const

const channels: readonly Channel[] = ['email', 'sms']

const channelLabels = { email: 'consentOfEmail', sms: 'consentOfSms' } as const

/** An order copies them from its cart. Whoever may not `read` does not see them. */
export const checkoutConsentFields = ({ read }: { read?: FieldAccess } = {}): Field[] => [
  {
    type: 'collapsible',
    label: label('checkoutConsent'),
    admin: { initCollapsed: true, description: label('checkoutConsentDescription') },
    fields: [
      {
        name: consentField,
        type: 'group',
        label: false,
        access: { create: () => false, update: () => false, ...(read && { read }) },
        admin: { readOnly: true },
        fields: channels.map(proofField),
      },
    ],
  },
]

const proofField = (channel: Channel): NamedGroupField => ({
  name: channel,
  type: 'group',
  label: label(channelLabels[channel]),
  fields: [
    {
      type: 'row',
      fields: [
        { ...notOfCopy, name: 'given', type: 'checkbox', label: label('consentGiven') },
        { ...ofThisOrder, name: 'at', type: 'date', label: label('consentAt') },
        { ...ofThisOrder, name: 'version', type: 'text', label: label('consentVersion') },
        ...(channel === 'sms'
          ? [{ ...ofThisOrder, name: 'phone', type: 'text' as const, label: label('consentPhone') }]
          : []),
      ],
    },
    { ...ofThisOrder, name: 'wording', type: 'textarea', label: label('consentWording') },
    { ...ofThisOrder, name: 'page', type: 'text', label: label('consentPage') },
  ],
})

/** A copy of an order proves nothing. */
const ofThisOrder = { hooks: { beforeDuplicate: [() => null] } }

/** A group without any value would be filled in from the cart again. */
const notOfCopy = { hooks: { beforeDuplicate: [() => false] } }

/** What a checkout asks; it is signed, so that the proof has the wording that the shop showed. */
export interface ConsentOffer extends Partial<Record<Channel, string>> {
  version: string
  page: string
}

const text = (limit: number) => z.string().check(z.maxLength(limit))

const offerSchema = z.object({
  email: z.exactOptional(text(2_000)),
  sms: z.exactOptional(text(2_000)),
  version: text(100),
  page: text(1_000),
})

export type ConsentOffers = ReturnType<typeof createConsentOffers>

export function createConsentOffers({ secret }: { secret: string }) {
  const signer = createSigner(secret, 'consent')
  return {
    /** @throws {TypeError} when a text is too long. */
    sign(offer: ConsentOffer): string {
      const checked = offerSchema.safeParse(offer)
      if (!checked.success) {
        const names = checked.error.issues.map(({ path }) => path.join('.'))
        throw new TypeError(
          `CheckoutConsent: these texts are missing or too long: ${names.join(', ')}`,
        )
      }
      const body = Buffer.from(JSON.stringify(checked.data)).toString('base64url')
      return `${signer.sign(body)}.${body}`
    },
    /** Undefined when we did not sign it. */
    read(value: string): ConsentOffer | undefined {
      const [mac = '', body = ''] = value.split('.')
      if (!signer.isSigned(body, mac)) return undefined
      return offerSchema.parse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')))
    },
  }
}

/** Longer than any phone number with what people write between its digits. */
const phoneLength = 40

/**
 * Undefined when the post has no answer to an offer.
 *
 * @throws {Problem} PARAMETER_INVALID when the offer is not one of this shop.
 */
export function readCheckoutConsent(
  tree: ParameterTree,
  { offers, now }: { offers: ConsentOffers; now: Date },
): CheckoutConsent | undefined {
  const posted = tree[consentField]
  if (typeof posted !== 'object' || posted === null || Array.isArray(posted)) return undefined
  const answers = posted as ParameterTree
  const signed = textParameter(answers, 'offer')
  if (signed === undefined) return undefined
  const offer = offers.read(signed)
  if (offer === undefined) {
    throw invalidParameter('The parameter "consent[offer]" is not one that this shop made.')
  }
  const phone = (textParameter(answers, 'phone') ?? '').trim().slice(0, phoneLength)
  const { version, page } = offer
  const asked = channels.flatMap((channel) => {
    const wording = offer[channel]
    if (wording === undefined) return []
    const given = textParameter(answers, channel) === '1'
    const number = channel === 'sms' && given ? phone : ''
    return [[channel, { given, wording, version, at: now, page, phone: number }] as const]
  })
  return Object.fromEntries(asked)
}

/** Replaces earlier answers. The cart's `updatedAt` stays. */
export async function noteCheckoutConsent(
  database: Database,
  { carts, cartId }: { carts: string; cartId: DocumentId },
  { consent, giver }: { consent: CheckoutConsent; giver: ConsentGiver },
): Promise<void> {
  if (!hasColumns(database.table(carts))) return
  const { session = null, email = null } = giver
  const givenBy = { [giverFields.session]: session, [giverFields.email]: email }
  const values = { ...consentValues(consent), ...givenBy }
  await noteInDocument(database, { slug: carts, id: cartId, values })
}

export const consentValues = (consent: CheckoutConsent): Row =>
  Object.fromEntries(
    channels.flatMap((channel) =>
      proofFieldsOf(channel).map((field) => {
        const value = consent[channel]?.[field]
        const stored = value instanceof Date ? value.toISOString() : (value ?? null)
        return [`${consentField}_${channel}_${field}`, stored]
      }),
    ),
  )

export const unanswered = () =>
  Object.fromEntries(
    channels.map((channel) => [
      channel,
      Object.fromEntries(proofFieldsOf(channel).map((field) => [field, null])),
    ]),
  )

/** A wording is stored with each answer. */
export const isAnswered = (consent: unknown): boolean =>
  channels.some((channel) => valueAt(consent, `${channel}.wording`) !== undefined)

const proofFieldsOf = (channel: Channel) =>
  proofFields.filter((field) => channel === 'sms' || field !== 'phone')

const hasColumns = (table: PayloadTable): boolean =>
  optionalColumn(table, `${consentField}.sms.phone`) !== undefined

/** In the order in which `readProofs` takes them. */
export const consentColumns = (table: PayloadTable): SQL[] =>
  channels.flatMap((channel) =>
    proofFields.map((field) => sql`${columnOrNull(table, `${consentField}.${channel}.${field}`)}`),
  )

export function readProofs(values: Values): CheckoutConsent {
  const found = channels.flatMap((channel, index) => {
    const own = values.slice(index * proofFields.length, (index + 1) * proofFields.length)
    const [given, wording, version, at, page, phone] = own
    if (own.every((value) => value === null)) return []
    const moment = new Date(textOf(at) ?? '')
    const proof: ConsentProof = {
      given: Boolean(given),
      wording: textOf(wording) ?? '',
      version: textOf(version) ?? '',
      at: Number.isNaN(moment.getTime()) ? undefined : moment,
      page: textOf(page) ?? '',
      phone: textOf(phone) ?? '',
    }
    return [[channel, proof] as const]
  })
  return Object.fromEntries(found)
}

export const keptProofsSlug = 'marketing-consent-proofs'

/** The proofs of deleted orders, because the subscriptions stay at Klaviyo. */
export const keptProofCollection = (customersSlug: string | undefined): CollectionConfig => ({
  slug: keptProofsSlug,
  ...internalCollection,
  fields: [
    // The order's number: SQLite gives the id of a deleted order to another one.
    { name: 'id', type: 'text', required: true },
    { name: 'order', type: 'text' },
    { name: 'reference', type: 'text' },
    { name: 'email', type: 'text', index: true },
    ...(customersSlug === undefined
      ? []
      : [{ name: 'customer', type: 'relationship', relationTo: customersSlug } as const]),
    ...checkoutConsentFields(),
    { ...ownNote, name: formerCustomerField, type: 'text' },
  ],
})

interface ProofKeeper {
  keep: (orderId: DocumentId, req: PayloadRequest) => Promise<void>
}

export const keepProof =
  (
    partsOf: (payload: BasePayload) => Promise<{ consentProofs: ProofKeeper }>,
  ): CollectionBeforeDeleteHook =>
  async ({ id, req }) =>
    (await partsOf(req.payload)).consentProofs.keep(id, req)
