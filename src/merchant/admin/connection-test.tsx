'use client'

import { useFormFields } from '@payloadcms/ui'
import { useState } from 'react'
import type { ConnectionReport } from '../../marketing/settings/marketing-settings-global.js'
import { TestButton, type TestLine } from './test-button.js'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'

/**
 * A button that asks Klaviyo which account the API key belongs to and which scopes it lacks. It tests
 * the key in the form or, where there is no form, the stored key.
 */
export function ConnectionTest() {
  const privateApiKey = useFormFields(([fields]) => fields.privateApiKey?.value)
  const { translate } = useWords()
  const { ask, isBusy } = useShop()
  const [shown, show] = useState<TestLine>()

  const describe = (report: ConnectionReport): TestLine => {
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
    <TestButton
      isBusy={isBusy}
      label={translate(isBusy ? 'testingConnection' : 'testConnection')}
      lines={shown ? [shown] : []}
      onPress={test}
    />
  )
}
