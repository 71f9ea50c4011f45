import { createHash } from 'node:crypto'
import { nameOf, type Account, type KeptEvent, type KeptProfile } from './account.js'
import { Html, html } from './html.js'
import { liveScript } from './live-script.js'

const style = `
:root { color-scheme: light dark; --ink: #1c1b1f; --quiet: #5c5a63; --paper: #f6f5f2; --card: #fff; --line: #dedbd3 }
@media (prefers-color-scheme: dark) { :root { --ink: #f1efea; --quiet: #b3afa6; --paper: #17171a; --card: #212125; --line: #3a393f } }
* { box-sizing: border-box }
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { margin: 0 0 .25rem; font-size: 1.5rem }
h2 { margin: 2rem 0 .5rem; font-size: 1.15rem }
p { margin: 0 0 .5rem }
ol { list-style: none; margin: 0; padding: 0; display: grid; gap: .5rem }
li { padding: .6rem .9rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem }
pre { margin: .5rem 0 0; white-space: pre-wrap; font: .85rem/1.45 ui-monospace, monospace }
.quiet { color: var(--quiet); font-size: .9rem }
summary { cursor: pointer }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
`

const script = liveScript({
  seconds: 1,
  isWatching: 'Shows what arrives, newest first.',
  isOver: 'The command has ended: this is what arrived.',
})

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing but the page's own style and script, and its own address. */
export const accountPagePolicy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page that shows what has arrived. It is complete without a script. */
export const accountPage = ({ events, profiles, changes }: Account): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>storeconnect try: Klaviyo</title>
        <noscript><meta http-equiv="refresh" content="3" /></noscript>
        ${inElement('style', style)}
      </head>
      <body>
        <header>
          <h1>What your shop sends to Klaviyo</h1>
          <p>Nothing leaves this machine, and no message is really sent.</p>
          <p class="quiet" id="watching" role="status">Newest first. Reload to see more.</p>
        </header>
        <main id="live">
          ${section('Events', events.map(eventItem), 'No event yet. Put something into a cart, or buy it.')}
          ${section('Lists, consents and more', changes.map(changeItem), 'Nothing yet. Post a form of your shop.')}
          ${section('Profiles', profiles.map(profileItem), 'Nobody yet.')}
        </main>
        ${inElement('script', script)}
      </body>
    </html> `.text

/** Without the space around it that the policy's hash does not have. */
const inElement = (name: 'style' | 'script', text: string): Html =>
  new Html(`<${name}>${text}</${name}>`)

const section = (title: string, items: readonly Html[], none: string): Html =>
  html`<section>
    <h2>${title} <span class="quiet">${items.length}</span></h2>
    ${
      items.length === 0
        ? html`<p class="quiet">${none}</p>`
        : html`<ol>
            ${items}
          </ol>`
    }
  </section>`

const when = (at: Date): Html =>
  html`<time class="quiet" datetime="${at.toISOString()}">${at.toLocaleTimeString('en-GB')}</time>`

function eventItem({ at, profile, metric, ...event }: KeptEvent): Html {
  const { name } = metric.data.attributes
  const { value, value_currency: currency = '' } = event
  const worth = value === undefined ? '' : ` · ${value} ${currency}`
  const id = `event-${at.getTime()}-${event.unique_id ?? profile.id}`
  return item(id, html`<b>${name}</b>${worth} · ${nameOf(profile)} ${when(at)}`, event.properties)
}

const changeItem = ({ at, who, what }: Account['changes'][number]): Html =>
  html`<li><b>${who}</b> · ${what} ${when(at)}</li>`

const profileItem = (profile: KeptProfile): Html =>
  item(
    `profile-${profile.id}`,
    html`<b>${nameOf(profile)}</b> ${when(profile.updatedAt)}`,
    profile.attributes,
  )

const item = (id: string, title: Html, shown: unknown): Html =>
  html`<li>
    <details id="${id}">
      <summary>${title}</summary>
      ${pre(shown)}
    </details>
  </li>`

const pre = (shown: unknown): Html => html`<pre>${JSON.stringify(shown, null, 2)}</pre>`
