'use client'

import { toast, useConfig, useRouteCache } from '@payloadcms/ui'
import { formatAdminURL } from 'payload/shared'
import { WaitingButton } from './buttons.js'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'

/** What a merchant may do with a failed send. */
export function SendActions({ id }: { id: number }) {
  const { config } = useConfig()
  const { translate } = useWords()
  const { clearRouteCache } = useRouteCache()
  const { ask, isBusy } = useShop()

  const act = async (name: 'resend' | 'dismiss') => {
    const answer = await ask(`/marketing-sends/${id}/${name}`, {})
    if ('problem' in answer) {
      toast.error(translate('sendActionFailed'))
      return
    }
    if (name === 'dismiss') {
      const path = '/collections/marketing-sends'
      window.location.assign(
        formatAdminURL({ adminRoute: config.routes.admin, path, includeBasePath: true }),
      )
      return
    }
    toast.success(translate('sendResent'))
    clearRouteCache()
  }

  return (
    <>
      <p>{translate('sendActionsDescription')}</p>
      <div className="storeconnect-overview__row">
        <WaitingButton isBusy={isBusy} onClick={() => void act('resend')}>
          {translate('sendResend')}
        </WaitingButton>
        <WaitingButton buttonStyle="secondary" isBusy={isBusy} onClick={() => void act('dismiss')}>
          {translate('sendDismiss')}
        </WaitingButton>
      </div>
    </>
  )
}
