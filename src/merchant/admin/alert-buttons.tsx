'use client'

import {
  Button,
  toast,
  useAuth,
  useDocumentInfo,
  useField,
  useFormFields,
  useRouteCache,
} from '@payloadcms/ui'
import { alertsSlug } from '../alerts/alerts-slug.js'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'
import { ShopTest, WaitingButton, type TestLine } from './buttons.js'
import type { TestReport } from '../alerts/alerts.js'

/** The button on an alert's page that puts it off for a day. */
export function AlertSnooze() {
  const isOver = useFormFields(([fields]) => Boolean(fields.endedAt?.value))
  const { id } = useDocumentInfo()
  const { translate } = useWords()
  if (isOver || id === undefined) return null
  return (
    <div className="field-type">
      <p>{translate('alertSnoozeDescription')}</p>
      <SnoozeButton id={String(id)} />
    </div>
  )
}

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

const channelNames = { email: 'alertByEmail', webhook: 'alertByWebhook' } as const
const channels = ['email', 'webhook'] as const

/** A button that sends a test message through the saved settings, and says what became of it. */
export function AlertTest() {
  const { translate } = useWords()

  const linesOf = (report: TestReport): TestLine[] => {
    const lines = channels.flatMap((name): TestLine[] => {
      const outcome = report[name]
      const channel = translate(channelNames[name])
      switch (outcome.is) {
        case 'off':
          return []
        case 'sent':
          return [{ type: 'success', text: translate('alertTestSent', { channel }) }]
        case 'failed': {
          const { error } = outcome
          return [{ type: 'error', text: translate('alertTestFailed', { channel, error }) }]
        }
      }
    })
    return lines.length > 0 ? lines : [{ type: 'default', text: translate('alertTestNobody') }]
  }

  return (
    <>
      <OwnEmail />
      <ShopTest
        busyLabel={translate('alertTestSending')}
        label={translate('alertTestSend')}
        linesOf={linesOf}
        path="/globals/alert-settings/send-test"
        withoutReport={() => translate('overviewUnanswered')}
      />
    </>
  )
}

/** A button that adds who is logged in to those who get alerts. */
function OwnEmail() {
  const { user } = useAuth()
  const { translate } = useWords()
  const { setValue, value } = useField<string[] | undefined>({ path: 'recipients' })
  const email: unknown = user?.email
  const recipients = value ?? []
  if (typeof email !== 'string' || recipients.includes(email)) return null
  return (
    <Button buttonStyle="secondary" onClick={() => setValue([...recipients, email])}>
      {translate('alertUseMyEmail', { email })}
    </Button>
  )
}
