import { PriceInput } from '@payloadcms/plugin-ecommerce/rsc'
import type { CurrenciesConfig } from '@payloadcms/plugin-ecommerce/types'
import type { NumberFieldServerProps } from 'payload'
import type { ReactNode } from 'react'
import { fieldForReader } from './field-for-reader.js'
import { InCurrency } from './in-currency.js'

type AmountInputProps = NumberFieldServerProps & {
  currencies: CurrenciesConfig
  currencyPath: string
  path: string
}

/**
 * The extension's price input in the currency of the document. On its own, that input only finds a
 * currency field beside it, and line items have none.
 */
export function AmountInput({ currencies, currencyPath, ...props }: AmountInputProps) {
  const { defaultCurrency, supportedCurrencies } = currencies
  const inputs: Record<string, ReactNode> = {}
  for (const currency of supportedCurrencies) {
    inputs[currency.code] = (
      <PriceInput
        {...props}
        clientField={fieldForReader(props)}
        currenciesConfig={currencies}
        currency={currency}
      />
    )
  }
  return (
    <InCurrency
      currencyPath={currencyPath}
      defaultCurrency={defaultCurrency}
      inputs={inputs}
      path={props.path}
    />
  )
}
