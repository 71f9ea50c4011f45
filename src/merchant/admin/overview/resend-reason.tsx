'use client'

import { ConfirmationModal, toast, useModal, useRouteCache } from '@payloadcms/ui'
import { useId } from 'react'
import { resendReasonPath } from '../../overview/overview-paths.js'
import { useShop } from '../use-shop.js'
import { useWords } from '../use-words.js'
import { WaitingButton } from '../buttons.js'

interface ResendReasonProps {
  reason: string
  /** How many go again, and how old the oldest is. */
  warning: string
  /** Only sends that were accepted since, as an ISO text. */
  since?: string | undefined
}

/** A button that resends all sends that failed for one reason, after a warning. */
export function ResendReason({ reason, warning, since }: ResendReasonProps) {
  const { translate, counted } = useWords()
  const { clearRouteCache } = useRouteCache()
  const { openModal } = useModal()
  const { ask, isBusy } = useShop()
  const modal = useId()
  const heading = translate('overviewResendReason', { reason })

  const resend = async () => {
    const answer = await ask<{ count: number }>(resendReasonPath, { reason, since })
    if ('problem' in answer) {
      toast.error(answer.problem ?? translate('overviewUnanswered'))
      return
    }
    toast.success(counted('overviewResent', answer.body.count))
    clearRouteCache()
  }

  return (
    <>
      <WaitingButton aria-label={heading} isBusy={isBusy} onClick={() => openModal(modal)}>
        {translate('overviewResendAll')}
      </WaitingButton>
      <ConfirmationModal
        body={warning}
        confirmLabel={translate('overviewResendAll')}
        heading={<h2>{heading}</h2>}
        modalSlug={modal}
        onConfirm={resend}
      />
    </>
  )
}
