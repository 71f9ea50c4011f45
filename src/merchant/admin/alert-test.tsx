'use client'

import { useState } from 'react'
import type { TestReport } from '../alerts/alerts.js'
import { TestButton, type TestLine } from './test-button.js'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'

/** A button that sends a test message through the saved settings, and says what became of it. */
export function AlertTest() {
  const { translate } = useWords()
  const { ask, isBusy } = useShop()
  const [shown, show] = useState<TestLine[]>([])

  const describe = (report: TestReport): TestLine[] => {
    const names = { email: 'alertByEmail', webhook: 'alertByWebhook' } as const
    const lines = (['email', 'webhook'] as const).flatMap((channel): TestLine[] => {
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
    <TestButton
      isBusy={isBusy}
      label={translate(isBusy ? 'alertTestSending' : 'alertTestSend')}
      lines={shown}
      onPress={test}
    />
  )
}
