'use client'

import {
  toast,
  useConfig,
  useDocumentInfo,
  useFormFields,
  useRouteCache,
  FieldLabel,
  useField,
} from '@payloadcms/ui'
import { formatAdminURL } from 'payload/shared'
import type { JSONFieldClientComponent } from 'payload'
import { useId, type ReactNode } from 'react'
import { useShop } from './use-shop.js'
import { useWords, useReaderTimezone } from './use-words.js'
import { WaitingButton } from './buttons.js'
import { attemptsKept, type Attempt, type Meaning } from '../../marketing/delivery/attempt.js'
import type { TranslationKey } from '../../core/payload/label.js'

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

/** A message as text. Payload's own JSON editor loads from another host, and nobody edits a message. */
export const SendMessage: JSONFieldClientComponent = ({ path }) => {
  const { translate } = useWords()
  const { value } = useField<unknown>({ path })
  const labelId = useId()
  return (
    <div className="field-type">
      {/* A `label` element belongs to a control, and this text is none. */}
      <div id={labelId}>
        <FieldLabel as="span" label={translate('sendMessage')} />
      </div>
      <pre
        aria-labelledby={labelId}
        role="region"
        style={{ overflowX: 'auto', whiteSpace: 'pre-wrap', wordBreak: 'break-word' }}
        tabIndex={0}
      >
        {JSON.stringify(value, null, 2)}
      </pre>
    </div>
  )
}

export const meanings: Readonly<Record<Meaning, TranslationKey>> = {
  delivered: 'attemptDelivered',
  skipped: 'attemptSkipped',
  later: 'attemptLater',
  'given-up': 'attemptGivenUp',
  refused: 'attemptRefused',
  split: 'attemptSplit',
  reduced: 'attemptReduced',
  requeue: 'attemptRequeue',
  misconfigured: 'attemptMisconfigured',
  lost: 'attemptLost',
}

export const SendAttempts: JSONFieldClientComponent = ({ path }) => {
  const { translate, number } = useWords()
  const { value } = useField<Attempt[] | null>({ path })
  const labelId = useId()
  if (!Array.isArray(value) || value.length === 0) return null

  return (
    <div className="field-type storeconnect-attempts">
      <style href="storeconnect-attempts" precedence="medium">
        {style}
      </style>
      {/* A `label` element belongs to a control, and a table is none. */}
      <div id={labelId}>
        <FieldLabel as="span" label={translate('sendLastAttempts')} />
      </div>
      <p className="field-description">
        {translate('sendLastAttemptsDescription', { number: number(attemptsKept) })}
      </p>
      <div
        aria-labelledby={labelId}
        className="storeconnect-attempts__table"
        role="region"
        tabIndex={0}
      >
        <AttemptTable attempts={value.toReversed()} labelId={labelId} />
      </div>
    </div>
  )
}

function AttemptTable({ attempts, labelId }: { attempts: Attempt[]; labelId: string }) {
  const timezone = useReaderTimezone()
  const { translate, instant, milliseconds } = useWords(timezone)
  const moment = (at: string | undefined): ReactNode =>
    at === undefined ? '–' : <time dateTime={at}>{instant(new Date(at))}</time>
  const headings: TranslationKey[] = [
    'attemptAt',
    'attemptMeant',
    'sendErrorStatus',
    'sendErrorCode',
    'sendNextAttemptAt',
    'attemptDuration',
    'attemptRequest',
  ]

  return (
    <table aria-labelledby={labelId}>
      <thead>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {translate(heading)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {attempts.map(({ at, meant, detail, pointer, status, code, next, ms, request }, index) => (
          <tr key={index}>
            <th scope="row">{moment(at)}</th>
            <td className="storeconnect-attempts__meant">
              {translate(meanings[meant])}
              {detail !== undefined && <div>{detail}</div>}
              {pointer !== undefined && <code>{pointer}</code>}
            </td>
            <td>{status ?? '–'}</td>
            <td>{code === undefined ? '–' : <code>{code}</code>}</td>
            <td>{moment(next)}</td>
            <td>{ms === undefined ? '–' : milliseconds(ms)}</td>
            <td>{request === undefined ? '–' : <code>{request}</code>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const style = `
.storeconnect-attempts__table { overflow-x: auto; }
.storeconnect-attempts table { border-collapse: collapse; }
.storeconnect-attempts :is(th, td) { color: var(--theme-text); font-weight: normal; padding: calc(var(--base) * 0.3) calc(var(--base) * 0.4); text-align: start; vertical-align: top; border-bottom: 1px solid var(--theme-border-color); }
.storeconnect-attempts thead th { font-weight: 600; }
.storeconnect-attempts time { white-space: nowrap; }
.storeconnect-attempts__meant { min-width: 14rem; overflow-wrap: anywhere; }
`
