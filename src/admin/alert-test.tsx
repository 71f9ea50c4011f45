'use client'

import { Banner } from '@payloadcms/ui'
import { useState } from 'react'
import type { TestReport } from '../alerts/alerts.js'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'
import { WaitingButton } from './waiting-button.js'

type Shown = { type: 'default' | 'error' | 'success'; text: string }

/** A button that sends a test message through the saved settings, and says what became of it. */
export function AlertTest() {
  const { translate } = useWords()
  const { ask, isBusy } = useShop()
  const [shown, show] = useState<Shown[]>([])

  const describe = (report: TestReport): Shown[] => {
    const names = { email: 'alertByEmail', webhook: 'alertByWebhook' } as const
    const lines = (['email', 'webhook'] as const).flatMap((channel): Shown[] => {
      const outcome = report[channel]
      const name = translate(names[channel])
      if (outcome.is === 'off') return []
      if (outcome.is === 'sent') {
        return [{ type: 'success', text: translate('alertTestSent', { channel: name }) }]
      }
      const text = translate('alertTestFailed', { channel: name, error: outcome.error })
      return [{ type: 'error', text }]
    })
    return lines.length > 0 ? lines : [{ type: 'default', text: translate('alertTestNobody') }]
  }

  const test = async () => {
    show([])
    const answer = await ask<TestReport>('/globals/alert-settings/send-test', {})
    show(
      'body' in answer
        ? describe(answer.body)
        : [{ type: 'error', text: translate('overviewUnanswered') }],
    )
  }

  return (
    <div className="field-type">
      <WaitingButton
        buttonStyle="secondary"
        isBusy={isBusy}
        onClick={() => void test()}
        size="small"
      >
        {translate(isBusy ? 'alertTestSending' : 'alertTestSend')}
      </WaitingButton>
      <div aria-live="polite" role="status">
        {shown.map(({ type, text }) => (
          <Banner key={text} type={type}>
            {text}
          </Banner>
        ))}
      </div>
    </div>
  )
}
