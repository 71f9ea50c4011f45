import type {
  BasePayload,
  CollectionBeforeOperationHook,
  CollectionConfig,
  FieldHook,
  TypeWithID,
  Where,
} from 'payload'
import { notFilterable } from '../../core/payload/either-version.js'
import { recordCollection } from '../../core/payload/admin-access.js'
import { adminEndpoint, type EndpointAccess } from '../../core/payload/admin-endpoint.js'
import { label, labels, translatorOf, type Translator } from '../../core/payload/label.js'
import { alertsSlug } from './alerts-slug.js'
import { namesOf, type Condition, type Conditions } from './conditions.js'

const moment = { date: { pickerAppearance: 'dayAndTime' } } as const

/** The admin shows a sentence. The REST API returns the code, such as `noPull`. */
const inLanguageOfReader: FieldHook<TypeWithID, unknown> = ({ value, req }) =>
  req.payloadAPI === 'local' && typeof value === 'string'
    ? translatorOf(req)(value as Condition)
    : value

/** A search for words, as the list of the admin makes it, finds the sentences that the reader sees. */
const searchSentences =
  (names: readonly Condition[]): CollectionBeforeOperationHook =>
  ({ args, req }) =>
    req.payloadAPI === 'local' && 'where' in args && args.where
      ? { ...args, where: withCodes(args.where, names, translatorOf(req)) }
      : args

const withCodes = (where: Where, names: readonly Condition[], translate: Translator): Where =>
  Object.fromEntries(
    Object.entries(where).map(([name, wanted]): [string, Where[string]] => {
      if (Array.isArray(wanted))
        return [name, wanted.map((one) => withCodes(one, names, translate))]
      if (name !== 'condition' || typeof wanted.like !== 'string') return [name, wanted]
      const words = wanted.like.toLowerCase().split(' ')
      const isFound = (text: string) => words.every((word) => text.toLowerCase().includes(word))
      return [name, { in: names.filter((code) => isFound(`${code} ${translate(code)}`)) }]
    }),
  )

interface AlertAccess extends EndpointAccess {
  partsOf: (payload: BasePayload) => Promise<{ alerts: { snooze(id: string): Promise<boolean> } }>
}

/** What was wrong, and from when until when: one record for each time. */
export const alertCollection = (access: AlertAccess, conditions: Conditions): CollectionConfig => ({
  slug: alertsSlug,
  labels: labels('alert', 'alerts'),
  admin: {
    group: false,
    description: label('alertsDescription'),
    useAsTitle: 'condition',
    defaultColumns: ['condition', 'begunAt', 'endedAt'],
  },
  ...recordCollection(access.isAdmin),
  endpoints: [
    adminEndpoint(access, {
      method: 'post',
      path: '/:id/snooze',
      async answer({ payload, routeParams }) {
        const done = await (await access.partsOf(payload)).alerts.snooze(String(routeParams?.id))
        // The alert is over, or there is none.
        return Response.json({ done }, { status: done ? 200 : 409 })
      },
    }),
  ],
  defaultSort: '-begunAt',
  hooks: { beforeOperation: [searchSentences(namesOf(conditions))] },
  fields: [
    // The condition and when it began. Our own, because our SQL has no ids of the database.
    { name: 'id', type: 'text', required: true, admin: { hidden: true } },
    // A plain text, so that a further condition needs no migration.
    {
      name: 'condition',
      type: 'text',
      label: label('alertCondition'),
      admin: notFilterable,
      hooks: { afterRead: [inLanguageOfReader] },
    },
    { name: 'begunAt', type: 'date', label: label('alertBegunAt'), admin: moment },
    { name: 'endedAt', type: 'date', label: label('alertEndedAt'), admin: moment },
    {
      name: 'snoozedUntil',
      type: 'date',
      label: label('alertSnoozedUntil'),
      admin: { ...moment, condition: ({ snoozedUntil }) => Boolean(snoozedUntil) },
    },
    {
      name: 'snooze',
      type: 'ui',
      admin: { components: { Field: 'payload-storeconnect/client#AlertSnooze' } },
    },
    // The condition while it holds. Unique, so that a condition is open only once.
    { name: 'underWay', type: 'text', unique: true, admin: { hidden: true } },
    { name: 'facts', type: 'json', admin: { hidden: true } },
    // What each channel was told, as JSON. A text, so that a process sees whether another has changed it.
    { name: 'noted', type: 'text', admin: { hidden: true } },
  ],
})
