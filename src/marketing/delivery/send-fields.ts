import type { Field, FieldHook, PayloadRequest, TypeWithID } from 'payload'
import { notAColumn, notFilterable } from '../../core/payload/either-version.js'
import { klaviyoErrorText } from '../klaviyo/klaviyo-error-text.js'
import type { NamedField } from '../../core/payload/field-search.js'
import type { Attempt } from './attempt.js'
import { stateCell } from '../../core/payload/state-cell.js'
import { sendKindNames } from './send.js'
import { label, translatorOf, type TranslationKey } from '../../core/payload/label.js'

type WithoutName<Each> = Each extends unknown ? Omit<Each, 'name'> : never

const hidden = { hidden: true }

/** Puts our own errors into the language of the reader. Klaviyo's stay as it wrote them. */
const inLanguageOfReader: FieldHook<TypeWithID, unknown, { code?: unknown }> = ({
  value,
  siblingData: { code },
  req,
}) =>
  typeof value === 'string' && typeof code === 'string'
    ? klaviyoErrorText({ code, detail: value }, translatorOf(req))
    : value

/** The same for what the attempts say. */
const attemptsInLanguageOfReader: FieldHook<TypeWithID, Attempt[] | null | undefined> = ({
  value,
  req,
}) =>
  value?.map((attempt) => {
    const { code, detail } = attempt
    if (code === undefined || detail === undefined) return attempt
    return { ...attempt, detail: klaviyoErrorText({ code, detail }, translatorOf(req)) }
  }) ?? null

/** Why a send failed or is tried again. */
const errorFields = {
  errorCode: { name: 'code', type: 'text', label: label('sendErrorCode') },
  errorDetail: {
    name: 'detail',
    type: 'textarea',
    label: label('sendErrorDetail'),
    admin: { components: { Cell: 'payload-storeconnect/rsc#ReasonCell' } },
    hooks: { afterRead: [inLanguageOfReader] },
  },
  errorStatus: { name: 'status', type: 'number', label: label('sendErrorStatus') },
  errorPointer: { name: 'pointer', type: 'text', label: label('sendErrorPointer') },
} satisfies Record<string, NamedField>

/** The fields of a send: what the admin shows, and the columns of the table. */
const sendFieldTable = {
  state: {
    type: 'select',
    label: label('sendState'),
    admin: stateCell,
    options: [
      { value: 'queued', label: label('sendQueued') },
      { value: 'sending', label: label('sendSending') },
      { value: 'sent', label: label('sendSent') },
      { value: 'failed', label: label('sendFailed') },
      { value: 'skipped', label: label('sendSkipped') },
    ],
  },
  kind: {
    type: 'select',
    label: label('sendKind'),
    options: Object.entries(sendKindNames).map(([value, name]) => ({ value, label: label(name) })),
  },
  profile: {
    type: 'text',
    label: label('sendProfile'),
    hooks: { afterRead: [withoutPrefix] },
  },
  /** The name of an event, or of the product that somebody waits for. */
  metric: { type: 'text', label: label('sendMetric') },
  uniqueId: { type: 'text', label: label('sendUniqueId') },
  /** Of list adds and subscriptions; the variant that somebody waits for. */
  list: { type: 'text', label: label('sendList') },
  /** The error in a word by which sends are counted, found and resent (`reasonOf`). */
  reason: { type: 'text', label: label('sendReason') },
  error: { type: 'group', label: label('sendError'), fields: Object.values(errorFields) },
  message: { type: 'json', label: label('sendMessage') },
  acceptedAt: moment('sendAcceptedAt'),
  nextAttemptAt: moment('sendNextAttemptAt'),
  attempts: { type: 'number', label: label('sendAttempts') },
  lastAttempts: {
    type: 'json',
    label: label('sendLastAttempts'),
    admin: { ...notAColumn, ...notFilterable },
    hooks: { afterRead: [attemptsInLanguageOfReader] },
  },
  sentAt: { ...moment('sendSentAt'), index: false },
  /** The id of the account that it is about, also where Klaviyo is not told that. */
  account: { type: 'text', index: true, admin: hidden },
  /** A repeat of the same occurrence has the same key. */
  key: { type: 'text', unique: true, admin: hidden },
  bytes: { type: 'number', admin: hidden },
  /** How many sends may share its call; empty when the call's own limit applies. */
  batchSize: { type: 'number', admin: hidden },
  crashes: { type: 'number', admin: hidden },
  /** The call that it is in, or was in when its process died. */
  call: { type: 'text', admin: hidden },
} satisfies Record<string, WithoutName<NamedField>>

export const sendFields = Object.entries(sendFieldTable).map(([name, row]): Field => ({
  name,
  ...row,
}))

/** The fields that have a column of their own. */
export type SendField =
  'id' | Exclude<keyof typeof sendFieldTable, 'error'> | keyof typeof errorFields

export const sendFieldNames = [
  'id',
  ...Object.keys(sendFieldTable),
  ...Object.keys(errorFields),
].filter((name) => name !== 'error') as SendField[]

/** The path of a field in a document. */
export const sendFieldPath = (field: SendField): string =>
  isOfError(field) ? `error.${errorFields[field].name}` : field

const isOfError = (field: string): field is keyof typeof errorFields => field in errorFields

/** The admin shows the address alone; the REST API returns the whole value, by which sends are ordered. */
function withoutPrefix({ value, req }: { value?: unknown; req: PayloadRequest }): unknown {
  return req.payloadAPI === 'local' && typeof value === 'string'
    ? value.replace(/^(email|phone):/, '')
    : value
}

function moment(title: TranslationKey) {
  return {
    type: 'date',
    label: label(title),
    admin: { date: { pickerAppearance: 'dayAndTime', displayFormat: 'd MMM yyyy, HH:mm:ss' } },
  } as const
}
