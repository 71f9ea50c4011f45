import { escapeHtml } from '../../../core/http/html-page.js'

/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | readonly Part[]

const write = (part: Part): string => {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return (part as readonly Part[]).map(write).join('')
  return escapeHtml(String(part))
}

/** Whatever is put in is escaped, unless it is HTML already. Attributes stand in double quotes. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(
    texts.map((text, at) => text + (at < parts.length ? write(parts[at] ?? '') : '')).join(''),
  )
