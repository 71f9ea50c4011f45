'use client'

import { Button } from '@payloadcms/ui'
import { useState, type ComponentProps } from 'react'
import { Notice } from './notice.js'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'

type WaitingButtonProps = Omit<ComponentProps<typeof Button>, 'disabled' | 'extraButtonProps'> & {
  /** Whether its work is still under way. A press then does nothing. */
  isBusy: boolean
}

/** A button that keeps the focus while it waits. A disabled button would lose it. */
export const WaitingButton = ({ isBusy, type = 'button', ...props }: WaitingButtonProps) => (
  <Button
    {...props}
    disabled={isBusy}
    extraButtonProps={{ disabled: false }}
    type={isBusy ? 'button' : type}
  />
)

export type TestLine = { type: 'default' | 'error' | 'success'; text: string }

interface TestButtonProps {
  label: string
  isBusy: boolean
  onPress: () => Promise<void>
  lines: readonly TestLine[]
}

/** A button that tests the settings, and below it what became of the test. */
export const TestButton = ({ label, isBusy, onPress, lines }: TestButtonProps) => (
  <div className="field-type">
    <WaitingButton buttonStyle="secondary" isBusy={isBusy} onClick={() => void onPress()}>
      {label}
    </WaitingButton>
    <div aria-live="polite" role="status">
      {lines.map(({ type, text }) => (
        <Notice key={text} type={type}>
          {text}
        </Notice>
      ))}
    </div>
  </div>
)

interface ShopTestProps<Report> {
  label: string
  /** The label while the shop has not answered. */
  busyLabel?: string
  path: `/${string}`
  posted?: object
  linesOf: (report: Report) => readonly TestLine[]
  /** What is said when there is no report, by the shop's error message. */
  withoutReport: (problem: string | undefined) => string
}

/** A button that has the shop test something, and below it what the shop reports. */
export function ShopTest<Report>(props: ShopTestProps<Report>) {
  const { label, busyLabel = label, path, posted = {}, linesOf, withoutReport } = props
  const { ask, isBusy } = useShop()
  const [lines, show] = useState<readonly TestLine[]>([])

  const test = async () => {
    show([])
    const answer = await ask<Report>(path, posted)
    show(
      'body' in answer
        ? linesOf(answer.body)
        : [{ type: 'error', text: withoutReport(answer.problem) }],
    )
  }
  return (
    <TestButton isBusy={isBusy} label={isBusy ? busyLabel : label} lines={lines} onPress={test} />
  )
}

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
