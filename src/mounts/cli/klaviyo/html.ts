/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | readonly Part[]

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const write = (part: Part): string => {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return (part as readonly Part[]).map(write).join('')
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** Whatever is put in is escaped, unless it is HTML already. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(
    texts.map((text, at) => text + (at < parts.length ? write(parts[at] ?? '') : '')).join(''),
  )
