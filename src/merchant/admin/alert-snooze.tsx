'use client'

import { toast, useDocumentInfo, useFormFields, useRouteCache } from '@payloadcms/ui'
import { alertsSlug } from '../alerts/alerts-slug.js'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'
import { WaitingButton } from './waiting-button.js'

/** The button on an alert's page that puts it off for a day. */
export function AlertSnooze() {
  const isOver = useFormFields(([fields]) => Boolean(fields.endedAt?.value))
  const { id } = useDocumentInfo()
  const { translate } = useWords()
  if (isOver || id === undefined) return null
  return (
    <div className="field-type">
      <p className="field-description">{translate('alertSnoozeDescription')}</p>
      <SnoozeButton id={String(id)} />
    </div>
  )
}

/** Puts off the alert with this id. */
export function SnoozeButton({ id }: { id: string }) {
  const { translate } = useWords()
  const { clearRouteCache } = useRouteCache()
  const { ask, isBusy } = useShop()

  const snooze = async () => {
    const answer = await ask(`/${alertsSlug}/${id}/snooze`, {})
    if ('problem' in answer) toast.error(translate('alertSnoozeFailed'))
    else toast.success(translate('alertSnoozeDone'))
    clearRouteCache()
  }
  return (
    <WaitingButton buttonStyle="secondary" isBusy={isBusy} onClick={() => void snooze()}>
      {translate('alertSnooze')}
    </WaitingButton>
  )
}
