'use client'

import { FieldError, useFormFields } from '@payloadcms/ui'
import type { ReactNode } from 'react'

interface InCurrencyProps {
  currencyPath: string
  /** Where the document names no currency that there is an input for. */
  defaultCurrency: string
  inputs: Record<string, ReactNode>
  path: string
}

/** Of an amount's inputs the one for the document's currency, with the error that they lack. */
export function InCurrency({ currencyPath, defaultCurrency, inputs, path }: InCurrencyProps) {
  const currency = useFormFields(([fields]) => fields[currencyPath]?.value)
  return (
    <div className="field-type__wrap">
      <FieldError path={path} />
      {inputs[String(currency)] ?? inputs[defaultCurrency]}
    </div>
  )
}
