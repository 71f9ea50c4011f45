'use client'

import { toast, useConfig, useDocumentInfo, useFormFields, useRouteCache } from '@payloadcms/ui'
import { formatAdminURL } from 'payload/shared'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'
import { WaitingButton } from './waiting-button.js'

/** The buttons of a failed send: Resend and Dismiss. */
export function SendActions() {
  const state = useFormFields(([fields]) => fields.state?.value)
  const { collectionSlug, id } = useDocumentInfo()
  const { config } = useConfig()
  const { translate } = useWords()
  const { clearRouteCache } = useRouteCache()
  const { ask, isBusy } = useShop()
  if (state !== 'failed' || id === undefined) return null

  const act = async (name: 'resend' | 'dismiss') => {
    const answer = await ask(`/${collectionSlug}/${id}/${name}`, {})
    if ('problem' in answer) {
      toast.error(translate('sendActionFailed'))
      return
    }
    if (name === 'dismiss') {
      const path = `/collections/${collectionSlug}` as const
      window.location.assign(
        formatAdminURL({ adminRoute: config.routes.admin, path, includeBasePath: true }),
      )
      return
    }
    toast.success(translate('sendResent'))
    clearRouteCache()
  }

  return (
    <div className="field-type">
      <p className="field-description">{translate('sendActionsDescription')}</p>
      <WaitingButton isBusy={isBusy} onClick={() => void act('resend')}>
        {translate('sendResend')}
      </WaitingButton>{' '}
      <WaitingButton buttonStyle="secondary" isBusy={isBusy} onClick={() => void act('dismiss')}>
        {translate('sendDismiss')}
      </WaitingButton>
    </div>
  )
}
