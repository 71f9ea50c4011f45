'use client'

import { PriceCell } from '@payloadcms/plugin-ecommerce/client'
import type { CurrenciesConfig } from '@payloadcms/plugin-ecommerce/types'
import type { DefaultCellComponentProps } from 'payload'
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
