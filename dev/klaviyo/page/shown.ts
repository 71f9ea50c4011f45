import { moment } from '../resources.ts'
import type { StoredProfile } from '../stored.ts'
import { html, type Html } from '../../../src/mounts/cli/klaviyo/html.js'

/** More rows than this nobody reads. */
export const ROWS = 50

export const newest = <Row>(rows: readonly Row[]): Row[] => rows.slice(-ROWS).reverse()

export const shownOf = (count: number): string =>
  count > ROWS ? `The newest ${ROWS} of ${count}.` : ''

export const shownTime = (at: number): Html => {
  const text = moment(at)
  return html`<time datetime="${text}" title="${text.slice(0, 10)}, UTC"
    >${text.slice(11, 19)}</time
  >`
}

/** What a person is best known by. */
export function shownName({ attributes, id }: StoredProfile): string {
  const name = [attributes.first_name, attributes.last_name].filter(Boolean).join(' ')
  return name || attributes.email || attributes.phone_number || attributes.external_id || id
}

/** Properties behind a summary; `id` keeps it open when the page shows news. */
export function shownProperties(id: string, properties: Record<string, unknown>): Html {
  const count = Object.keys(properties).length
  if (count === 0) return html`<span class="faded">none</span>`
  return html`<details id="${id}">
    <summary>${count} ${count === 1 ? 'property' : 'properties'}</summary>
    <pre>${JSON.stringify(properties, null, 2)}</pre>
  </details>`
}

export const button = (
  { path, id }: { path: string; id: string | number },
  text: string,
  about: string,
): Html =>
  html`<form method="post" action="${path}">
    <input type="hidden" name="id" value="${id}" /><button aria-label="${text}: ${about}">
      ${text}
    </button>
  </form>`
