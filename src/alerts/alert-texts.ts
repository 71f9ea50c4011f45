import { getLocalI18n, type BasePayload } from 'payload'
import { formatAdminURL } from 'payload/shared'
import { escapeHtml } from '../http/html-page.js'
import type { TranslationKey } from '../payload/label.js'
import { ourTexts, pluralKey } from '../translations/plural-key.js'
import type { MessageContent, ToldAlert } from './alert-message.js'
import { conditions, countedAtMost } from './conditions.js'

/** A message in the store's language. */
export interface MessageTexts {
  subject: string
  text: string
  html: string
  /** What a webhook posts. */
  json: object
}

/** A part of a message: what is so, what to do, and the link to where it is done. */
interface Part {
  title: string
  lines: string[]
  /** Undefined when the store's `serverURL` is not configured. */
  url: string | undefined
}

/**
 * Writes messages in Payload's fallback language, with times in the shop's time zone. The same message
 * always has the same texts.
 */
export async function createAlertTexts({ config }: Pick<BasePayload, 'config'>, timezone: string) {
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
  const moment = (at: string | undefined) =>
    at === undefined ? translate('overviewNever') : `${format.format(new Date(at))} (${timezone})`
  const urlOf = (path: `/${string}`) =>
    config.serverURL === ''
      ? undefined
      : formatAdminURL({ adminRoute: config.routes.admin, path, serverURL: config.serverURL })

  const sentence = ({ condition, facts: { count = 0, since } }: ToldAlert): string =>
    counted(conditions[condition].text, count, {
      number: count >= countedAtMost ? `${countedAtMost}+` : String(count),
      since: moment(since),
    })

  const began = (alert: ToldAlert): Part => ({
    title: sentence(alert),
    lines: [translate(conditions[alert.condition].advice)],
    url: urlOf(conditions[alert.condition].page),
  })
  const ended = ({ condition, begunAt, endedAt }: ToldAlert): Part => ({
    title: translate(conditions[condition].over),
    lines: [translate('alertFromTo', { begun: moment(begunAt), ended: moment(endedAt) })],
    url: undefined,
  })
  const open = (alert: ToldAlert): Part => {
    const { lines, ...part } = began(alert)
    const since = translate('alertOpenSince', { begun: moment(alert.begunAt) })
    return { ...part, lines: [since, ...lines] }
  }
  const data = ({ facts, ...alert }: ToldAlert) => ({
    ...alert,
    ...facts,
    text:
      alert.endedAt === undefined
        ? sentence({ ...alert, facts })
        : ended({ ...alert, facts }).title,
    url: urlOf(conditions[alert.condition].page),
  })

  /** What the message is about, when it is from, and its parts. */
  const read = (content: MessageContent) => {
    switch (content.type) {
      case 'begun': {
        const part = began(content.alert)
        const { begunAt } = content.alert
        return { subject: part.title, parts: [part], at: begunAt, about: data(content.alert) }
      }
      case 'ended': {
        const part = ended(content.alert)
        const { endedAt } = content.alert
        return { subject: part.title, parts: [part], at: endedAt, about: data(content.alert) }
      }
      case 'digest': {
        const { alerts, at } = content
        const count = alerts.length
        const subject = counted('alertDigest', count, { number: String(count) })
        return { subject, parts: alerts.map(open), at, about: { alerts: alerts.map(data) } }
      }
      case 'test': {
        const title = translate('alertTestSubject')
        const part = { title, lines: [translate('alertTestText')], url: undefined }
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

const plainPart = ({ title, lines, url }: Part): string =>
  [title, ...lines, ...(url === undefined ? [] : [url])].join('\n\n')

const htmlPart = ({ title, lines, url }: Part): string =>
  [
    `<p><strong>${escapeHtml(title)}</strong></p>`,
    ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
    ...(url === undefined ? [] : [`<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`]),
  ].join('\n')
