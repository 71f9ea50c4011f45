import type { KlaviyoStandIn } from '../stand-in.ts'
import { callsSection } from './calls-section.ts'
import { activeFaults, faultButtons } from './faults-section.ts'
import { html } from '../../../src/mounts/cli/klaviyo/html.js'
import { confirmationsSection, listsSection } from './lists-section.ts'
import { eventsSection, profilesSection } from './people-sections.ts'

interface PageOptions {
  apiKey: string
  /** Without refreshing itself, for who reads slowly. */
  isStill: boolean
}

const REFRESH_SECONDS = 5

/** The whole page; complete without a script. */
export function page(standIn: KlaviyoStandIn, { apiKey, isStill }: PageOptions): string {
  const refresh = html`<noscript
      ><meta http-equiv="refresh" content="${REFRESH_SECONDS}"
    /></noscript>
    <script src="/page.js" defer></script>`
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Klaviyo stand-in</title>
        ${isStill ? '' : refresh}
        <link rel="stylesheet" href="/page.css" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <h1>Klaviyo stand-in</h1>
          <p>
            Answers the store as Klaviyo would and shows what arrived. Nothing leaves this machine,
            no message is really sent.
          </p>
          <p class="faded">
            Everything here is kept in memory and gone when the stand-in stops. API key:
            <code>${apiKey}</code>
          </p>
          <p class="faded">
            <span id="watching" role="status"
              >${isStill ? 'Does not refresh itself.' : `Refreshes every ${REFRESH_SECONDS} seconds.`}</span
            >
            <a href="${isStill ? '/' : '/?still'}"
              >${isStill ? 'Refresh by itself' : 'Stop refreshing'}</a
            >
          </p>
        </header>
        <main id="main" tabindex="-1">
          <div id="live">
            ${tiles(standIn)} ${confirmationsSection(standIn)} ${listsSection(standIn)}
            ${profilesSection(standIn)} ${eventsSection(standIn)} ${callsSection(standIn)}
            ${activeFaults(standIn)}
          </div>
          ${faultButtons()}
        </main>
        <footer>
          Not Klaviyo, and not by Klaviyo. Everything as JSON: <a href="/state.json">/state.json</a>
        </footer>
      </body>
    </html> `.text
}

const tiles = ({ state }: KlaviyoStandIn) => {
  const waiting = [...state.confirmations.values()].filter(
    ({ confirmedAt }) => confirmedAt === undefined,
  )
  return html`<dl class="tiles">
    <div>
      <dt>Profiles</dt>
      <dd>${state.profiles.size}</dd>
    </div>
    <div>
      <dt>Events</dt>
      <dd>${state.events.length}</dd>
    </div>
    <div>
      <dt>Waiting confirmations</dt>
      <dd>${waiting.length}</dd>
    </div>
    <div>
      <dt>Calls</dt>
      <dd>${state.calls.length}</dd>
    </div>
    <div>
      <dt>Answered 429</dt>
      <dd>${state.throttled}</dd>
    </div>
  </dl>`
}
