import type { CurrenciesConfig } from '@payloadcms/plugin-ecommerce/types'
import type { Field, NumberField, NumberFieldSingleValidation, PayloadRequest } from 'payload'
import { isAmount } from '../../commerce/money.js'
import { valueAt } from './document-value.js'
import { findField } from './field-search.js'
import { label, type TranslationKey } from './label.js'

/** How amounts are typed and shown. */
export interface AmountParts {
  /** The extension's own; undefined where the store keeps totals in another way. */
  currencies: CurrenciesConfig | undefined
  /** Where a document says its currency. */
  currencyPath: string
}

/**
 * An amount in minor units. People type it as a price in the document's currency, and whoever writes
 * it has to give a whole number.
 */
export const amountField = (
  { name, title, access }: { name: string; title: TranslationKey } & Pick<NumberField, 'access'>,
  { currencies, currencyPath }: AmountParts,
): Field => ({
  name,
  type: 'number',
  label: label(title),
  ...(access && { access }),
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

/** The currencies of the field that the extension keeps an order's total in. */
export function currenciesOf(
  orderFields: readonly Field[],
  amount: string,
): CurrenciesConfig | undefined {
  const component: unknown = findField(orderFields, amount)?.admin?.components?.Field
  const currencies = valueAt(component, 'clientProps.currenciesConfig')
  const isConfig = Array.isArray(valueAt(currencies, 'supportedCurrencies'))
  return isConfig ? (currencies as CurrenciesConfig) : undefined
}

/**
 * Lets the request's order have these amounts whatever they are: what its cart or a product had
 * already must not stop a checkout, and the export says what is wrong with it.
 */
export function acceptAmounts(req: PayloadRequest, amounts: readonly unknown[]): void {
  req.context[acceptedAmounts] = amounts
}

const acceptedAmounts = 'storeconnectAmounts'

// What was stored before stays, so that everything else of the document can be changed.
const amountOnly: NumberFieldSingleValidation = (value, { previousValue, req }) => {
  if (value === null || value === undefined || value === previousValue) return true
  if (isAmount(value)) return true
  const accepted = req.context[acceptedAmounts]
  return (Array.isArray(accepted) && accepted.includes(value)) || label('amountInvalid')(req)
}
