import { getLocalI18n } from 'payload'
import { formatAdminURL } from 'payload/shared'
import { escapeHtml } from '../../core/http/html-page.js'
import type { TranslationKey, Translator } from '../../core/payload/label.js'
import type { NamedOrder } from '../../core/matter.js'
import type { Shop } from '../../core/shop.js'
import { ourTexts, pluralKey } from '../../core/translations/plural-key.js'
import { alertsSlug } from './alerts-slug.js'
import type { Alert, MessageType, Told } from './alert.js'
import type { Conditions } from './conditions.js'
import { matterText } from './matter-text.js'

export type MessageContent =
  | { type: MessageType; at: string; alert: Alert; returned?: Told['returned'] }
  | { type: 'digest'; at: string; alerts: readonly Alert[] }
  | { type: 'test'; at: string }

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
  /** The orders and payments that it is about. */
  orders: OrderLink[]
  payments: OrderLink[]
  /** Undefined when the store's `serverURL` is not configured. */
  url?: string | undefined
  /** The page on which the alert can be put off. */
  snooze?: { text: string; url: string } | undefined
}

type OrderLink = Pick<NamedOrder, 'number'> & Pick<Part, 'url'>

/** Writes messages in Payload's fallback language, with times in the shop's time zone. */
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
  const translate: Translator = say
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
  const returnedLine = (returned: Told['returned']): string | undefined =>
    returned &&
    counted('alertReturned', returned.times, {
      number: String(returned.times),
      since: moment(returned.since),
    })
  const named = (name: TranslationKey, value: string | undefined): string | undefined =>
    value === undefined ? undefined : `${translate(name)}: ${value}`
  const linksTo = (slug: string, named: readonly NamedOrder[]): OrderLink[] =>
    named.map(({ id, number }) => ({ number, url: urlOf(`/collections/${slug}/${id}`) }))
  const pageOf = ({ id }: Alert) => urlOf(`/collections/${alertsSlug}/${id}`)

  const began = (alert: Alert, returned?: Told['returned']): Part => {
    const { asked, store, orders = [], payments = [] } = alert.facts
    const { advice, adminPath } = conditions[alert.condition] ?? {}
    const snoozeUrl = pageOf(alert)
    return {
      title: sentence(alert),
      lines: present([
        named('pullAsked', asked),
        named('pullStore', store),
        returnedLine(returned),
        advice && translate(advice),
      ]),
      orders: linksTo(collections.orders, orders),
      payments: linksTo(collections.transactions, payments),
      url: urlOf(adminPath),
      snooze:
        snoozeUrl === undefined ? undefined : { text: translate('alertSnooze'), url: snoozeUrl },
    }
  }
  const ended = (alert: Alert, returned: Told['returned']): Part => ({
    title: overSentence(alert),
    lines: present([
      returnedLine(returned),
      translate('alertFromTo', { begun: moment(alert.begunAt), ended: moment(alert.endedAt) }),
    ]),
    orders: [],
    payments: [],
  })
  const open = (alert: Alert): Part => {
    const { lines, ...part } = began(alert)
    const since = translate('alertOpenSince', { begun: moment(alert.begunAt) })
    return { ...part, lines: [since, ...lines] }
  }
  const data = (alert: Alert, { title, orders, payments }: Part, returned?: Told['returned']) => {
    const { condition, begunAt, endedAt } = alert
    const { count, since, asked, store, page, pages } = alert.facts
    return {
      ...{ condition, begunAt, endedAt, count, since, asked, store, page, pages },
      returned: returned?.times,
      ...(orders.length > 0 && { orders }),
      ...(payments.length > 0 && { payments }),
      text: title,
      url: urlOf(conditions[condition]?.adminPath),
      alertUrl: pageOf(alert),
    }
  }
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
        const part = { title, lines: [translate('alertTestText')], orders: [], payments: [] }
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

const present = (texts: readonly (string | undefined)[]): string[] =>
  texts.filter((text) => text !== undefined)

/** A subject with a line break could add headers to the mail. */
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

const plainPart = ({ title, orders, payments, lines, url, snooze }: Part): string =>
  present([
    title,
    ...[orders, payments].map((named) => named.map(plainOrder).join('\n') || undefined),
    ...lines,
    url,
    snooze && `${snooze.text}: ${snooze.url}`,
  ]).join('\n\n')

const plainOrder = ({ number, url }: OrderLink) =>
  url === undefined ? number : `${number}: ${url}`

const htmlOrder = ({ number, url }: OrderLink) =>
  url === undefined ? escapeHtml(number) : htmlLink(number, url)

const htmlLink = (text: string, url: string) =>
  `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`

const htmlPart = ({ title, orders, payments, lines, url, snooze }: Part): string =>
  present([
    `<strong>${escapeHtml(title)}</strong>`,
    ...[orders, payments].map((named) => named.map(htmlOrder).join(', ') || undefined),
    ...lines.map(escapeHtml),
    url && htmlLink(url, url),
    snooze && htmlLink(snooze.text, snooze.url),
  ])
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('\n')
