'use client'

import { toast, useConfig, useDocumentInfo, useFormFields, useTranslation } from '@payloadcms/ui'
import { useRouter } from 'next/navigation.js'
import { useState } from 'react'
import { adminUrl, apiUrl } from './admin-urls.js'
import { translateBy } from './translate.js'
import { WaitingButton } from './waiting-button.js'

/** Beside a send that failed: have it tried again, or delete it. */
export function SendActions() {
  const state = useFormFields(([fields]) => fields.state?.value)
  const { collectionSlug, id } = useDocumentInfo()
  const { config } = useConfig()
  const { t } = useTranslation()
  const router = useRouter()
  const [isBusy, setIsBusy] = useState(false)
  if (state !== 'failed' || id === undefined) return null

  const translate = translateBy(t)
  const act = async (name: 'resend' | 'dismiss') => {
    setIsBusy(true)
    const isDone = await post(apiUrl(config, `/${collectionSlug}/${id}/${name}`))
    setIsBusy(false)
    if (!isDone) {
      toast.error(translate('sendActionFailed'))
      return
    }
    toast.success(translate(name === 'resend' ? 'sendResent' : 'sendDismissed'))
    if (name === 'resend') router.refresh()
    else router.push(adminUrl(config, `/collections/${collectionSlug}`))
  }

  return (
    <div className="field-type">
      <p className="field-description">{translate('sendActionsDescription')}</p>
      <WaitingButton isBusy={isBusy} onClick={() => void act('resend')} size="small">
        {translate('sendResend')}
      </WaitingButton>{' '}
      <WaitingButton
        buttonStyle="secondary"
        isBusy={isBusy}
        onClick={() => void act('dismiss')}
        size="small"
      >
        {translate('sendDismiss')}
      </WaitingButton>
    </div>
  )
}

/** False also when the answer does not come: either way the merchant is told. */
async function post(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      credentials: 'include',
      headers: { 'content-type': 'application/json' },
    })
    return response.ok
  } catch {
    return false
  }
}
