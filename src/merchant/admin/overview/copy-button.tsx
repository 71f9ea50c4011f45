'use client'

import { Button } from '@payloadcms/ui'
import { useState } from 'react'
import { useWords } from '../use-words.js'

/** A button that copies a text and says whether that worked. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const { translate } = useWords()
  const [outcome, setOutcome] = useState<'overviewCopied' | 'overviewNotCopied'>()

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('overviewCopied')
    } catch {
      // Browsers refuse without https, or when the user has forbidden it. The text can be selected.
      setOutcome('overviewNotCopied')
    }
  }

  return (
    <>
      <Button
        aria-label={translate('overviewCopyOf', { name })}
        buttonStyle="secondary"
        onClick={() => void copy()}
      >
        {translate('overviewCopy')}
      </Button>
      <span aria-live="polite">{outcome && translate(outcome)}</span>
    </>
  )
}
