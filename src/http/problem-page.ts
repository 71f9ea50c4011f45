import type { ProblemPageText } from '../errors.js'
import { escapeHtml } from './escape-html.js'
import { htmlPage } from './html-page.js'

/** A small page that says what went wrong, to a person who opened an action's URL in a browser. */
export function problemPage({
  status,
  message,
  requestId,
  page = { language: 'en', message, brand: '', link: undefined },
}: {
  status: number
  message: string
  requestId: string
  page?: ProblemPageText | undefined
}): string {
  const { language, brand, link } = page
  const button =
    link && `<p><a class="button" href="${escapeHtml(link.url)}">${escapeHtml(link.text)}</a></p>\n`
  return htmlPage({
    language,
    title: `${status}: ${page.message}`,
    brand,
    body: `<h1>${escapeHtml(page.message)}</h1>
${button ?? ''}<p class="quiet">${status} · ${escapeHtml(requestId)}</p>`,
  })
}
