'use client'

import { PriceCell } from '@payloadcms/plugin-ecommerce/client'
import type { CurrenciesConfig } from '@payloadcms/plugin-ecommerce/types'
import type { DefaultCellComponentProps } from 'payload'
import { FieldError, useFormFields } from '@payloadcms/ui'
import type { ReactNode } from 'react'
import { valueAt } from '../../core/payload/document-value.js'

type AmountCellProps = DefaultCellComponentProps & {
  currencies: CurrenciesConfig
  currencyPath: string
}

/** An amount in a list, in its document's currency. Without a currency, it shows the stored number. */
export function AmountCell({ currencies, currencyPath, ...props }: AmountCellProps) {
  const { rowData } = props
  const cellData: unknown = props.cellData
  const code = valueAt(rowData, currencyPath)
  const currency = currencies.supportedCurrencies.find((each) => each.code === code)
  if (typeof cellData !== 'number' || !currency) return <span>{String(cellData ?? '')}</span>
  return (
    <PriceCell
      {...props}
      cellData={cellData}
      currenciesConfig={currencies}
      currency={currency}
      path={currencyPath}
      rowData={rowData}
    />
  )
}

interface InCurrencyProps {
  currencyPath: string
  /** Used when the document has no currency, or one without an input. */
  defaultCurrency: string
  inputs: Record<string, ReactNode>
  path: string
}

/** Shows the input for the document's currency. It adds the error message that the inputs lack. */
export function InCurrency({ currencyPath, defaultCurrency, inputs, path }: InCurrencyProps) {
  const currency = useFormFields(([fields]) => fields[currencyPath]?.value)
  return (
    <div className="field-type__wrap">
      <FieldError path={path} />
      {inputs[String(currency)] ?? inputs[defaultCurrency]}
    </div>
  )
}
