'use client'

import { toast, useConfig, useTranslation } from '@payloadcms/ui'
import { useRouter } from 'next/navigation.js'
import { useState } from 'react'
import { resendReasonPath } from '../../store/payload/overview/overview-paths.js'
import { apiUrl } from '../admin-urls.js'
import { countedBy, translateBy } from '../translate.js'
import { WaitingButton } from '../waiting-button.js'
import { askShop } from './ask-shop.js'

/** Has all sends that failed for a reason tried again. */
export function ResendReason({ code }: { code: string }) {
  const { config } = useConfig()
  const { i18n, t } = useTranslation()
  const translate = translateBy(t)
  const router = useRouter()
  const [isBusy, setIsBusy] = useState(false)

  const resend = async () => {
    setIsBusy(true)
    const url = apiUrl(config, resendReasonPath)
    const answer = await askShop<{ count: number }>(url, { code })
    setIsBusy(false)
    if ('problem' in answer) {
      toast.error(answer.problem ?? translate('overviewUnanswered'))
      return
    }
    toast.success(countedBy(translate, i18n.language)('overviewResent', answer.body.count))
    router.refresh()
  }

  return (
    <WaitingButton
      aria-label={translate('overviewResendReason', { reason: code })}
      isBusy={isBusy}
      onClick={() => void resend()}
      size="small"
    >
      {translate('overviewResendAll')}
    </WaitingButton>
  )
}
