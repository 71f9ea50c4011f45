import { escapeHtml } from './escape-html.js'
import { htmlPage } from './html-page.js'

/** A small page that says what went wrong, to a person who opened an action's URL in a browser. */
export const problemPage = (problem: {
  status: number
  message: string
  requestId: string
}): string =>
  htmlPage({
    language: 'en',
    title: `${problem.status}: ${problem.message}`,
    body: `<h1>${escapeHtml(problem.message)}</h1>
<p class="quiet">Status ${problem.status} · Request ${escapeHtml(problem.requestId)}</p>`,
  })
