import { getLocalI18n } from 'payload'
import { formatAdminURL } from 'payload/shared'
import { escapeHtml } from '../../core/http/html-page.js'
import type { TranslationKey } from '../../core/payload/label.js'
import type { Shop } from '../../core/shop.js'
import { ourTexts, pluralKey } from '../../core/translations/plural-key.js'
import { alertsSlug } from './alerts-slug.js'
import type { Alert, MessageType, Told } from './alert.js'
import type { Conditions } from './conditions.js'
import { matterText } from './matter-text.js'

/** What a message says. */
export type MessageContent =
  | { type: MessageType; at: string; alert: Alert; returned?: Told['returned'] }
  | { type: 'digest'; at: string; alerts: readonly Alert[] }
  | { type: 'test'; at: string }

/** A message in the store's language. */
export interface MessageTexts {
  subject: string
  text: string
  html: string
  /** What a webhook posts. */
  json: object
}

/** A part of a message: what is wrong or over, what to do, and the link to where that is done. */
interface Part {
  title: string
  lines: string[]
  /** The orders that it is about. */
  orders: OrderLink[]
  /** Undefined when the store's `serverURL` is not configured. */
  url: string | undefined
  /** The page on which the alert can be put off. */
  snooze?: { text: string; url: string } | undefined
}

interface OrderLink {
  number: string
  /** Undefined when the store's `serverURL` is not configured. */
  url: string | undefined
}

/**
 * Writes messages in Payload's fallback language, with times in the shop's time zone. The same message
 * always has the same texts.
 */
export async function createAlertTexts(
  { payload: { config }, options }: Shop,
  conditions: Conditions,
) {
  const { timezone, collections } = options
  const i18n = await getLocalI18n({ config, language: config.i18n.fallbackLanguage })
  const { language } = i18n
  const texts = ourTexts(i18n.translations)
  const say = (key: string, variables?: Record<string, string>): string =>
    (i18n.t as (key: string, variables?: object) => string)(`storeconnect:${key}`, variables)
  const translate = (key: TranslationKey, variables?: Record<string, string>) => say(key, variables)
  const counted = (key: TranslationKey, count: number, variables: Record<string, string>) =>
    say(pluralKey(key, count, { language, texts }), variables)
  const format = new Intl.DateTimeFormat(language, {
    timeZone: timezone,
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  const moment = (at: Date | string | undefined) =>
    at === undefined ? translate('overviewNever') : `${format.format(new Date(at))} (${timezone})`
  /** The overview helps where no other page does. */
  const urlOf = (path: `/${string}` = '/globals/storeconnect') =>
    config.serverURL === ''
      ? undefined
      : formatAdminURL({ adminRoute: config.routes.admin, path, serverURL: config.serverURL })

  /** Its name, where the shop has left the product that it is about. */
  const sentence = ({ condition, facts }: Alert): string => {
    const row = conditions[condition]
    return (row && matterText(row, facts, { translate, counted, moment })) ?? translate(condition)
  }
  const overSentence = ({ condition, over, endedAt }: Alert): string =>
    translate(
      over?.why === 'pulled' ? 'alertPulled' : (conditions[condition]?.over ?? 'alertOver'),
      {
        at: moment(over?.at ?? endedAt),
        what: translate(condition),
      },
    )
  const returnedLines = (returned: Told['returned']): string[] =>
    returned === undefined
      ? []
      : [
          counted('alertReturned', returned.times, {
            number: String(returned.times),
            since: moment(returned.since),
          }),
        ]

  /** What ShipStation asked for. */
  const askedLines = ({ facts: { asked, store } }: Alert): string[] => [
    ...(asked === undefined ? [] : [`${translate('pullAsked')}: ${asked}`]),
    ...(store === undefined ? [] : [`${translate('pullStore')}: ${store}`]),
  ]

  const adviceOf = ({ condition }: Alert): string[] => {
    const advice = conditions[condition]?.advice
    return advice === undefined ? [] : [translate(advice)]
  }

  const linked = ({ facts: { orders = [] } }: Alert): OrderLink[] =>
    orders.map(({ id, number }) => ({
      number,
      url: urlOf(`/collections/${collections.orders}/${id}`),
    }))

  const pageOf = ({ id }: Alert) => urlOf(`/collections/${alertsSlug}/${id}`)
  const snoozeLink = (alert: Alert): Part['snooze'] => {
    const url = pageOf(alert)
    return url === undefined ? undefined : { text: translate('alertSnooze'), url }
  }

  const began = (alert: Alert, returned?: Told['returned']): Part => ({
    title: sentence(alert),
    lines: [...askedLines(alert), ...returnedLines(returned), ...adviceOf(alert)],
    orders: linked(alert),
    url: urlOf(conditions[alert.condition]?.page),
    snooze: snoozeLink(alert),
  })
  const ended = (alert: Alert, returned: Told['returned']): Part => ({
    title: overSentence(alert),
    lines: [
      ...returnedLines(returned),
      translate('alertFromTo', { begun: moment(alert.begunAt), ended: moment(alert.endedAt) }),
    ],
    orders: [],
    url: undefined,
  })
  const open = (alert: Alert): Part => {
    const { lines, ...part } = began(alert)
    const since = translate('alertOpenSince', { begun: moment(alert.begunAt) })
    return { ...part, lines: [since, ...lines] }
  }
  const data = (alert: Alert, { title, orders }: Part, returned?: Told['returned']) => {
    const { condition, begunAt, endedAt, facts } = alert
    return {
      condition,
      begunAt,
      endedAt,
      count: facts.count,
      since: facts.since,
      asked: facts.asked,
      store: facts.store,
      page: facts.page,
      pages: facts.pages,
      returned: returned?.times,
      ...(orders.length > 0 && { orders }),
      text: title,
      url: urlOf(conditions[condition]?.page),
      alertUrl: pageOf(alert),
    }
  }
  /** What the message is about, when it is from, and its parts. */
  const read = (content: MessageContent) => {
    switch (content.type) {
      case 'begun':
      case 'ended':
      case 'repeated': {
        const { alert, at, returned } = content
        const part = (alert.endedAt === undefined ? began : ended)(alert, returned)
        return { subject: part.title, parts: [part], at, about: data(alert, part, returned) }
      }
      case 'digest': {
        const { alerts, at } = content
        const count = alerts.length
        const subject = counted('alertDigest', count, { number: String(count) })
        const about = { alerts: alerts.map((alert) => data(alert, began(alert))) }
        return { subject, parts: alerts.map((alert) => open(alert)), at, about }
      }
      case 'test': {
        const title = translate('alertTestSubject')
        const part = { title, lines: [translate('alertTestText')], orders: [], url: undefined }
        return { subject: title, parts: [part], at: content.at, about: {} }
      }
    }
  }

  return (content: MessageContent): MessageTexts => {
    const { subject, parts, at, about } = read(content)
    return {
      subject: inOneLine(subject),
      text: parts.map(plainPart).join('\n\n'),
      html: `<!doctype html>\n<html lang="${escapeHtml(language)}"><body>\n${parts
        .map(htmlPart)
        .join('\n')}\n</body></html>\n`,
      json: { type: `alert.${content.type}`, timestamp: at, text: subject, data: about },
    }
  }
}

/** A subject with a line break could add headers to the mail. */
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

const plainPart = ({ title, orders, lines, url, snooze }: Part): string =>
  [
    title,
    ...(orders.length === 0 ? [] : [orders.map(plainOrder).join('\n')]),
    ...lines,
    ...(url === undefined ? [] : [url]),
    ...(snooze === undefined ? [] : [`${snooze.text}: ${snooze.url}`]),
  ].join('\n\n')

const plainOrder = ({ number, url }: OrderLink) =>
  url === undefined ? number : `${number}: ${url}`

const htmlOrder = ({ number, url }: OrderLink) =>
  url === undefined ? escapeHtml(number) : `<a href="${escapeHtml(url)}">${escapeHtml(number)}</a>`

const htmlPart = ({ title, orders, lines, url, snooze }: Part): string =>
  [
    `<p><strong>${escapeHtml(title)}</strong></p>`,
    ...(orders.length === 0 ? [] : [`<p>${orders.map(htmlOrder).join(', ')}</p>`]),
    ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
    ...(url === undefined ? [] : [`<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`]),
    ...(snooze === undefined
      ? []
      : [`<p><a href="${escapeHtml(snooze.url)}">${escapeHtml(snooze.text)}</a></p>`]),
  ].join('\n')
