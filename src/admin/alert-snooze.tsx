'use client'

import { toast, useDocumentInfo, useFormFields, useRouteCache } from '@payloadcms/ui'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'
import { WaitingButton } from './waiting-button.js'

/** The button that puts an alert off for a day. */
export function AlertSnooze() {
  const isOver = useFormFields(([fields]) => Boolean(fields.endedAt?.value))
  const { collectionSlug, id } = useDocumentInfo()
  const { translate } = useWords()
  const { clearRouteCache } = useRouteCache()
  const { ask, isBusy } = useShop()
  if (isOver || id === undefined) return null

  const snooze = async () => {
    const answer = await ask(`/${collectionSlug}/${id}/snooze`, {})
    if ('problem' in answer) toast.error(translate('alertSnoozeFailed'))
    else toast.success(translate('alertSnoozeDone'))
    clearRouteCache()
  }

  return (
    <div className="field-type">
      <p className="field-description">{translate('alertSnoozeDescription')}</p>
      <WaitingButton isBusy={isBusy} onClick={() => void snooze()}>
        {translate('alertSnooze')}
      </WaitingButton>
    </div>
  )
}
