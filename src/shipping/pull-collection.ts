import type { CollectionBeforeOperationHook, CollectionConfig, Field, Where } from 'payload'
import type { Effects } from '../core/effects.js'
import { recordCollection, type IsAdmin } from '../core/payload/admin-access.js'
import { alwaysReads } from '../core/payload/always-reads.js'
import { label, labels, type TranslationKey } from '../core/payload/label.js'
import { stateCell } from '../core/payload/state-cell.js'

export const pullsSlug = 'shipping-pulls'

/** How long a pull that was not answered to its end may be silent. */
export const stoppedAfterMs = 30 * 60_000

export const pullStateTexts = {
  complete: 'pullComplete',
  'under-way': 'pullUnderWay',
  stopped: 'pullStopped',
} as const satisfies Record<string, TranslationKey>

type PullState = keyof typeof pullStateTexts

export interface PullProgress {
  isComplete: boolean
  lastRequestAt: Date
}

export function pullState({ isComplete, lastRequestAt }: PullProgress, now: Date): PullState {
  if (isComplete) return 'complete'
  return now.getTime() - lastRequestAt.getTime() < stoppedAfterMs ? 'under-way' : 'stopped'
}

/** The pulls in a state, by what is stored: a pull that has stopped stays `under-way` in its row. */
function pullsIn(state: string, now: Date): Where {
  if (state === 'complete') return { state: { equals: 'complete' } }
  const stopped = new Date(now.getTime() - stoppedAfterMs).toISOString()
  const updatedAt = state === 'stopped' ? { less_than_equal: stopped } : { greater_than: stopped }
  return { and: [{ state: { equals: 'under-way' } }, { updatedAt }] }
}

function withStoredStates(where: Where, now: Date): Where {
  const conditions = Object.entries(where).flatMap(([name, wanted]): Where[] => {
    if (Array.isArray(wanted)) {
      return [{ [name]: wanted.map((one) => withStoredStates(one, now)) }]
    }
    if (name !== 'state') return [{ [name]: wanted }]
    const { equals, in: among, not_equals: other, not_in: outside, ...rest } = wanted
    const chosen = [
      [equals, true],
      [among, true],
      [other, false],
      [outside, false],
    ] as const
    return [
      ...(Object.keys(rest).length > 0 ? [{ state: rest }] : []),
      ...chosen.flatMap(([given, isWanted]): Where[] => {
        if (given === undefined) return []
        const named = typeof given === 'string' ? given.split(',') : [given].flat()
        const found = Object.keys(pullStateTexts).filter(
          (state) => named.includes(state) === isWanted,
        )
        // No pull has no id.
        return [
          found.length > 0
            ? { or: found.map((state) => pullsIn(state, now)) }
            : { id: { exists: false } },
        ]
      }),
    ]
  })
  return conditions.length === 1 ? (conditions[0] ?? {}) : { and: conditions }
}

const findStates =
  ({ now }: Pick<Effects, 'now'>): CollectionBeforeOperationHook =>
  ({ args }) =>
    'where' in args && args.where ? { ...args, where: withStoredStates(args.where, now()) } : args

const moment = (name: string, title: TranslationKey, more: { index?: true } = {}): Field => ({
  name,
  type: 'date',
  label: label(title),
  admin: { date: { pickerAppearance: 'dayAndTime' } },
  ...more,
})

const hidden = { hidden: true }

/**
 * The pulls of ShipStation, and the fixed lists of those with more than one page (`docs/decisions/0001-export.md`). A
 * row with a state is a pull; other rows are the parts of its list, with the ids of its orders.
 */
export const pullCollection = (
  isAdmin: IsAdmin,
  effects: Pick<Effects, 'now'>,
): CollectionConfig => ({
  slug: pullsSlug,
  dbName: 'shipping_lists',
  labels: labels('pull', 'pulls'),
  admin: {
    group: false,
    description: label('pullsDescription'),
    useAsTitle: 'asked',
    listSearchableFields: ['asked', 'store'],
    // As many as a small screen shows without scrolling.
    defaultColumns: ['createdAt', 'state', 'orders', 'skipped'],
  },
  ...recordCollection(isAdmin),
  access: {
    ...recordCollection(isAdmin).access,
    read: async (args) => (await isAdmin(args)) && { state: { exists: true } },
  },
  defaultSort: '-createdAt',
  // Finds the parts that can have an order without reading the others.
  indexes: [{ fields: ['changedTo', 'changedFrom'] }],
  hooks: {
    beforeOperation: [
      findStates(effects),
      // The state and the answered pages are made of these.
      alwaysReads('state', 'pages', 'highestPage', 'updatedAt'),
    ],
  },
  fields: [
    // Which window, store and page size a list is for, as long as it serves pages.
    { name: 'key', type: 'text', index: true, admin: hidden },
    // Names the pull in all its rows.
    { name: 'list', type: 'text', index: true, admin: hidden },
    {
      name: 'state',
      type: 'select',
      label: label('pullState'),
      index: true,
      options: Object.entries(pullStateTexts).map(([value, title]) => ({
        value,
        label: label(title),
      })),
      admin: { ...stateCell, position: 'sidebar', description: label('pullStateDescription') },
      hooks: {
        afterRead: [
          ({ value, data }) => {
            if (value !== 'under-way' || !data) return value as unknown
            const { updatedAt } = data as Record<string, unknown>
            const lastRequestAt = new Date(String(updatedAt))
            return pullState({ isComplete: false, lastRequestAt }, effects.now())
          },
        ],
      },
    },
    // The texts of the dates as ShipStation sent them, with the time zone that they were read in.
    { name: 'asked', type: 'text', label: label('pullAsked') },
    // What the texts mean: both bounds are exclusive, and blank where all orders were asked for.
    moment('windowStart', 'pullFrom'),
    moment('windowEnd', 'pullTo'),
    { name: 'store', type: 'text', label: label('pullStore') },
    // In the order in which they were asked for, such as `1-3, 5, 4`.
    {
      name: 'answered',
      type: 'text',
      label: label('pullPagesAnswered'),
      hooks: {
        afterRead: [({ data }) => data && answeredPagesOf(data as Record<string, unknown>).text],
      },
    },
    { name: 'highestPage', type: 'number', admin: hidden },
    { name: 'pages', type: 'number', label: label('pullPages') },
    { name: 'pageSize', type: 'number', label: label('pullPageSize') },
    { name: 'orders', type: 'number', label: label('pullOrders') },
    { name: 'skipped', type: 'number', label: label('pullSkipped') },
    // More than 1 where page 1 was asked for again and had the same orders.
    { name: 'timesBegun', type: 'number', label: label('pullTimesBegun') },
    moment('createdAt', 'pullFirstRequest', { index: true }),
    moment('updatedAt', 'pullLastRequest', { index: true }),
    // The page that the pull was answered last, as far as it is known.
    { name: 'certainPage', type: 'number', admin: hidden },
    // Of a part: where it starts in the list, how many ids it has, and the ids.
    { name: 'start', type: 'number', admin: hidden },
    { name: 'size', type: 'number', admin: hidden },
    { name: 'ids', type: 'textarea', admin: hidden },
    // Between which moments its orders had changed when it was made.
    { name: 'changedFrom', type: 'date', admin: hidden },
    { name: 'changedTo', type: 'date', admin: hidden },
  ],
})

/** Pages that were answered one after the other. */
interface Series {
  first: number
  last: number
}

export interface AnsweredPages {
  /** In the order of their first requests, such as `1-3, 5, 4`. */
  text: string
  count: number
  first: number
  /** The last page before the first one that was not answered; 0 when page 1 was not. */
  answeredTo: number
  isInOrder: boolean
  has: (page: number) => boolean
  withPage: (page: number) => AnsweredPages
}

function answeredPages(text: string): AnsweredPages {
  const all = text.split(', ').flatMap((part): Series[] => {
    if (part === '') return []
    const [first = 0, last = first] = part.split('-').map(Number)
    return [{ first, last }]
  })
  const has = (page: number) => all.some(({ first, last }) => first <= page && page <= last)
  const withPage = (page: number): AnsweredPages => {
    const end = all.at(-1)
    const series =
      end?.last === page - 1
        ? [...all.slice(0, -1), { first: end.first, last: page }]
        : [...all, { first: page, last: page }]
    return answeredPages(
      series
        .map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`))
        .join(', '),
    )
  }
  const sorted = all.toSorted((one, other) => one.first - other.first)
  return {
    text,
    has,
    withPage,
    count: all.reduce((sum, { first, last }) => sum + last - first + 1, 0),
    first: sorted[0]?.first ?? 1,
    answeredTo: sorted.reduce((to, { first, last }) => (first === to + 1 ? last : to), 0),
    isInOrder: all.length <= 1,
  }
}

/** The pages of a row of `shipping-pulls`. Rows of earlier editions have the highest one alone. */
export function answeredPagesOf(row: Record<string, unknown>): AnsweredPages {
  const { state, answered, pages, highestPage } = row
  if (typeof answered === 'string') return answeredPages(answered)
  const last = Math.min(Number(highestPage ?? 0), Number(pages))
  // A list is no pull before a page of it was answered.
  const isPull = typeof state === 'string' && last > 0
  return answeredPages(isPull ? (last === 1 ? '1' : `1-${last}`) : '')
}
