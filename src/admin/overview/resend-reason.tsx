'use client'

import { toast, useRouteCache } from '@payloadcms/ui'
import { resendReasonPath } from '../../overview/overview-paths.js'
import { useShop } from '../use-shop.js'
import { useWords } from '../use-words.js'
import { WaitingButton } from '../waiting-button.js'

interface ResendReasonProps {
  reason: string
  /** Only sends that were accepted since, as an ISO text. */
  since?: string | undefined
}

/** A button that resends all sends that failed for one reason. */
export function ResendReason({ reason, since }: ResendReasonProps) {
  const { translate, counted } = useWords()
  const { clearRouteCache } = useRouteCache()
  const { ask, isBusy } = useShop()

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
    <WaitingButton
      aria-label={translate('overviewResendReason', { reason })}
      isBusy={isBusy}
      onClick={() => void resend()}
    >
      {translate('overviewResendAll')}
    </WaitingButton>
  )
}
