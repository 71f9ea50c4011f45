import * as z from 'zod/mini'
import type { Translator } from '../../core/payload/label.js'
import { englishText, type PlainKey } from '../../core/translations/translation.js'

/** Why an order is skipped: each code with its text. The codes are stored and public. */
const texts = {
  NO_CUSTOMER: 'skippedNoCustomer',
  NO_NUMBER: 'skippedNoNumber',
  NUMBER_TAKEN: 'skippedNumberTaken',
  NO_STATUS: 'skippedNoStatus',
  NO_SHIPPING_NAME: 'skippedNoName',
  NO_SHIPPING_ADDRESS_LINE: 'skippedNoAddressLine',
  NO_SHIPPING_CITY: 'skippedNoCity',
  NO_SHIPPING_COUNTRY: 'skippedNoCountry',
  BILLING_COUNTRY_INVALID: 'skippedBillingCountry',
  TOTAL_INVALID: 'skippedTotal',
  TAX_AMOUNT_INVALID: 'skippedTaxAmount',
  SHIPPING_AMOUNT_INVALID: 'skippedShippingAmount',
  DISCOUNT_INVALID: 'skippedDiscount',
  NO_ITEM_NAME: 'skippedNoItemName',
  NO_UNIT_PRICE: 'skippedNoUnitPrice',
  UNIT_PRICE_INVALID: 'skippedUnitPrice',
  DATE_INVALID: 'skippedCreatedAt',
  DATE_OF_CHANGE_INVALID: 'skippedUpdatedAt',
  REFUND_INVALID: 'skippedRefund',
  QUANTITY_INVALID: 'skippedQuantity',
  WEIGHT_INVALID: 'skippedWeight',
  HELD_BACK: 'skippedHeldBack',
  NO_ITEMS: 'skippedNoItems',
  ALL_REFUNDED: 'skippedAllRefunded',
  BEFORE_EXPORT_FAILED: 'skippedHookFailed',
  MAP_FAILED: 'skippedMapFailed',
  REFUNDS_FAILED: 'skippedRefundsFailed',
  BEING_SAVED: 'skippedInProgress',
  SAVE_CUT_OFF: 'skippedCutOff',
  NOT_LISTED: 'skippedUnlisted',
} as const satisfies Record<string, PlainKey>

export interface SkipReason {
  code: keyof typeof texts
  /** The values that the sentence names: the number of a line, from 1 on, and what is stored. */
  params?: { line?: number; value?: number }
}

/** A reason as the admin shows it and the API returns it. */
export interface ReasonReport {
  /** Undefined for a sentence that was stored before there were codes. */
  code?: string
  params?: { line?: number | undefined; value?: number | undefined }
  message: string
}

export const reportReason = (reason: SkipReason, translate: Translator): ReasonReport => ({
  ...reason,
  message: translate(texts[reason.code], textsOf(reason.params)),
})

/** For the log, which is English. */
export const englishReason = ({ code, params }: SkipReason): string =>
  englishText(texts[code], params && textsOf(params))

/** Payload fills in texts. */
const textsOf = (params: ReasonReport['params'] = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )

/** Reads reasons that are stored as JSON, or as sentences, one a line, from before there were codes. */
export function reportStored(stored: string, translate: Translator): ReasonReport[] {
  const reasons = parseStored(stored)
  if (reasons === undefined) {
    return stored.split('\n').flatMap((message) => (message === '' ? [] : { message }))
  }
  return reasons.map(({ code, params = {} }) => ({
    code,
    ...(Object.keys(params).length > 0 && { params }),
    // A newer version may have stored a code that this one does not know.
    message: isKnown(code) ? translate(texts[code], textsOf(params)) : code,
  }))
}

const isKnown = (code: string): code is SkipReason['code'] => Object.hasOwn(texts, code)

const storedSchema = z.array(
  z.object({
    code: z.string(),
    params: z.optional(z.object({ line: z.optional(z.number()), value: z.optional(z.number()) })),
  }),
)

function parseStored(stored: string) {
  if (!stored.startsWith('[')) return undefined
  try {
    return storedSchema.safeParse(JSON.parse(stored)).data
  } catch {
    // A sentence of old that begins like a list.
    return undefined
  }
}
