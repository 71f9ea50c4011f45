import type { CurrenciesConfig } from '@payloadcms/plugin-ecommerce/types'
import type { Field, NumberFieldSingleValidation, PayloadRequest } from 'payload'
import { isAmount } from './money.js'
import { valueAt } from '../../core/payload/document-value.js'
import { findField } from '../../core/payload/field-search.js'
import { label, type TranslationKey } from '../../core/payload/label.js'

export interface AmountCurrencies {
  /** The extension's currencies; undefined when the store keeps totals in another way. */
  currencies: CurrenciesConfig | undefined
  currencyPath: string
}

/** A field for an amount in minor units, which the admin shows as a price. The API accepts whole numbers only. */
export const amountField = (
  name: string,
  title: TranslationKey,
  { currencies, currencyPath }: AmountCurrencies,
): Field => ({
  name,
  type: 'number',
  label: label(title),
  validate: amountOnly,
  admin: currencies
    ? {
        components: {
          Cell: {
            path: 'payload-storeconnect/client#AmountCell',
            clientProps: { currencies, currencyPath },
          },
          Field: {
            path: 'payload-storeconnect/rsc#AmountInput',
            serverProps: { currencies, currencyPath },
          },
        },
      }
    : { description: label('minorUnits') },
})

/** The currencies of the extension's own field for an order's total; undefined without that field. */
export function currenciesOf(
  orderFields: readonly Field[],
  amount: string,
): CurrenciesConfig | undefined {
  const component: unknown = findField(orderFields, amount)?.admin?.components?.Field
  const currencies = valueAt(component, 'clientProps.currenciesConfig')
  const isConfig = Array.isArray(valueAt(currencies, 'supportedCurrencies'))
  return isConfig ? (currencies as CurrenciesConfig) : undefined
}

/** Accepts these amounts in the request's order, as a wrong amount of a product must not stop a checkout. */
export function acceptAmounts(req: PayloadRequest, amounts: readonly unknown[]): void {
  req.context[acceptedAmounts] = amounts
}

const acceptedAmounts = 'storeconnectAmounts'

// A stored amount stays valid, so that the rest of the document can be changed.
const amountOnly: NumberFieldSingleValidation = (value, { previousValue, req }) => {
  if (value === null || value === undefined || value === previousValue) return true
  if (isAmount(value)) return true
  const accepted = req.context[acceptedAmounts]
  return (Array.isArray(accepted) && accepted.includes(value)) || label('amountInvalid')(req)
}
