'use client'

import { Banner, useFormFields } from '@payloadcms/ui'
import { useState } from 'react'
import type { ConnectionReport } from '../klaviyo/marketing-settings-global.js'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'
import { WaitingButton } from './waiting-button.js'

type Shown = { type: 'default' | 'error' | 'success'; text: string }

/**
 * A button that asks Klaviyo which account the API key belongs to and which scopes it lacks. It tests
 * the key in the form or, where there is no form, the stored key.
 */
export function ConnectionTest() {
  const privateApiKey = useFormFields(([fields]) => fields.privateApiKey?.value)
  const { translate } = useWords()
  const { ask, isBusy } = useShop()
  const [shown, show] = useState<Shown>()

  const describe = (report: ConnectionReport): Shown => {
    switch (report.is) {
      case 'no-key':
        return { type: 'default', text: translate('apiKeyMissing') }
      case 'key-unreadable':
        return { type: 'error', text: translate('apiKeyUnreadable') }
      case 'no-variable':
        return { type: 'error', text: translate('variablesMissing', { names: report.name }) }
      case 'refused':
        return { type: 'error', text: translate('connectionFailed', { reason: report.reason }) }
      case 'connected': {
        const { account, missingScopes } = report
        if (missingScopes.length === 0) {
          return { type: 'success', text: translate('connectionWorks', { account }) }
        }
        const scopes = missingScopes.join(', ')
        return { type: 'error', text: translate('connectionLacksScopes', { account, scopes }) }
      }
    }
  }

  const test = async () => {
    show(undefined)
    const answer = await ask<ConnectionReport>('/globals/marketing-settings/test-connection', {
      privateApiKey: privateApiKey === null ? '' : privateApiKey,
    })
    show(
      'body' in answer
        ? describe(answer.body)
        : { type: 'error', text: translate('connectionUnanswered') },
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
        {translate(isBusy ? 'testingConnection' : 'testConnection')}
      </WaitingButton>
      <div aria-live="polite" role="status">
        {shown && <Banner type={shown.type}>{shown.text}</Banner>}
      </div>
    </div>
  )
}
