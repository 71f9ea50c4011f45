'use client'

import { Banner, useConfig, useFormFields, useTranslation } from '@payloadcms/ui'
import { useState } from 'react'
import type { ConnectionReport } from '../store/payload/connection-endpoint.js'
import { apiUrl } from './admin-urls.js'
import { translateBy } from './translate.js'
import { WaitingButton } from './waiting-button.js'

type Shown = { type: 'default' | 'error' | 'success'; text: string }

/**
 * A button that asks Klaviyo whose the key is, and says what it lacks: the one in the form; where there
 * is no form, the stored one.
 */
export function ConnectionTest() {
  const { config } = useConfig()
  const privateApiKey = useFormFields(([fields]) => fields.privateApiKey?.value)
  const { t } = useTranslation()
  const [shown, show] = useState<Shown>()
  const [isBusy, setBusy] = useState(false)
  const translate = translateBy(t)

  const describe = (report: ConnectionReport): Shown => {
    if (report.is === 'no-key') return { type: 'default', text: translate('apiKeyMissing') }
    if (report.is === 'key-unreadable') {
      return { type: 'error', text: translate('apiKeyUnreadable') }
    }
    if (report.is === 'no-variable') {
      return { type: 'error', text: translate('variablesMissing', { names: report.name }) }
    }
    if (report.is === 'refused') {
      return { type: 'error', text: translate('connectionFailed', { reason: report.reason }) }
    }
    const { account, missingScopes } = report
    return missingScopes.length === 0
      ? { type: 'success', text: translate('connectionWorks', { account }) }
      : {
          type: 'error',
          text: translate('connectionLacksScopes', { account, scopes: missingScopes.join(', ') }),
        }
  }

  const test = async () => {
    setBusy(true)
    show(undefined)
    try {
      const url = apiUrl(config, '/globals/marketing-settings/test-connection')
      const response = await fetch(url, {
        method: 'POST',
        credentials: 'include',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ privateApiKey: privateApiKey === null ? '' : privateApiKey }),
      })
      if (!response.ok) throw new Error(`The shop answered ${response.status}.`)
      show(describe((await response.json()) as ConnectionReport))
    } catch {
      // Whatever it was, the shop's log has it; the merchant can press the button again.
      show({ type: 'error', text: translate('connectionUnanswered') })
    } finally {
      setBusy(false)
    }
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
