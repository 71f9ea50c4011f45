import { liveScript } from '../../../src/mounts/cli/klaviyo/live-script.js'
import { demoApiKey, type KlaviyoStandIn } from '../stand-in.ts'
import { page } from './page.ts'
import { stateDocument } from './state-document.ts'
import { STYLE } from './style.ts'

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
}

const script = liveScript({
  seconds: 2,
  isWatching: 'Shows news as they come in.',
  isOver: 'The stand-in does not answer: this is what was last known.',
})

/** The page and what belongs to it. */
export function pageAnswer(standIn: KlaviyoStandIn, request: Request): Response {
  const url = new URL(request.url)
  const answer = (body: string, type: string): Response =>
    new Response(body, { headers: { ...HEADERS, 'content-type': `${type}; charset=utf-8` } })
  switch (url.pathname) {
    case '/':
      return answer(
        page(standIn, { apiKey: demoApiKey, isStill: url.searchParams.has('still') }),
        'text/html',
      )
    case '/page.css':
      return answer(STYLE, 'text/css')
    case '/page.js':
      return answer(script, 'text/javascript')
    case '/state.json':
      return answer(JSON.stringify(stateDocument(standIn), null, 2), 'application/json')
    default:
      return new Response('There is no such page.\n', {
        status: 404,
        headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' },
      })
  }
}
