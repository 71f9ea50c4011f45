'use client'

import { Button, useTranslation } from '@payloadcms/ui'
import { useState } from 'react'
import { translateBy } from '../translate.js'

/** Copies a text, and says so. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const { t } = useTranslation()
  const translate = translateBy(t)
  const [outcome, setOutcome] = useState<'overviewCopied' | 'overviewNotCopied'>()

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('overviewCopied')
    } catch {
      // Without https, or where it is forbidden: the text is there to be marked by hand.
      setOutcome('overviewNotCopied')
    }
  }

  return (
    <>
      <Button
        aria-label={translate('overviewCopyOf', { name })}
        buttonStyle="secondary"
        onClick={() => void copy()}
        size="xsmall"
      >
        {translate('overviewCopy')}
      </Button>
      <span aria-live="polite">{outcome && translate(outcome)}</span>
    </>
  )
}
