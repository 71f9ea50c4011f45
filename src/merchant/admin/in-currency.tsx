'use client'

import { FieldError, useFormFields } from '@payloadcms/ui'
import type { ReactNode } from 'react'

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
