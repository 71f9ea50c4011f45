import { isExchangeId } from '../../marketing/onsite/exchange-id.js'

/** A call of Klaviyo's script: a method, its arguments and a function that gets the answer. */
type ScriptCall = readonly [method: string, ...values: unknown[]]

interface ScriptCalls {
  push(call: ScriptCall): unknown
}

// https://developers.klaviyo.com/en/docs/introduction-to-the-klaviyo-object
declare global {
  interface Window {
    klaviyo?: ScriptCalls
    /** Holds the calls until the script has loaded. */
    _klOnsite?: ScriptCalls
  }
}

export interface ScriptSource {
  companyId: string
  nonce: string | undefined
  scriptUrl: string
}

/** The script while it is loading. */
let loading: HTMLScriptElement | undefined

/** Loads the script unless the page has it. It needs no inline script, which a strict policy forbids. */
export function loadScript(
  { companyId, nonce, scriptUrl }: ScriptSource,
  loaded: () => void,
): void {
  const id = encodeURIComponent(companyId)
  const src = `${scriptUrl}/onsite/js/${id}/klaviyo.js?company_id=${id}`
  if ([...document.scripts].some((script) => script.src === src)) return
  const script = document.createElement('script')
  script.async = true
  script.src = src
  if (nonce !== undefined) script.nonce = nonce
  script.addEventListener('load', () => {
    loading = undefined
    loaded()
  })
  loading = script
  document.head.append(script)
}

/** Keeps a script that is still loading from running, and forgets the calls that wait for it. */
export function cancelScript(): void {
  if (loading === undefined) return
  // A script that has been moved to another document does not run
  // (https://html.spec.whatwg.org/multipage/scripting.html#execute-the-script-element).
  document.implementation.createHTMLDocument().adoptNode(loading)
  loading = undefined
  delete window._klOnsite
}

export function callScript(...call: ScriptCall): void {
  const calls = window.klaviyo ?? (window._klOnsite ??= [] as ScriptCall[])
  calls.push(call)
}

/** The cookie in which the script keeps who the visitor is: JSON in base64. */
const cookie = '__kla_id'

/** Who the visitor is to the script; undefined while it does not know. */
export function scriptExchangeId(): string | undefined {
  const pair = document.cookie.split('; ').find((text) => text.startsWith(`${cookie}=`))
  if (pair === undefined) return undefined
  try {
    const text = atob(decodeURIComponent(pair.slice(cookie.length + 1)))
    const { $exchange_id: id } = JSON.parse(text) as { $exchange_id?: unknown }
    return typeof id === 'string' && isExchangeId(id) ? id : undefined
  } catch {
    // The cookie is not as Klaviyo writes it, so it says nothing.
    return undefined
  }
}

export const hasScriptCookie = (): boolean =>
  document.cookie.split('; ').some((text) => text.startsWith(`${cookie}=`))

/** Where the script keeps the recently viewed items, in the browser's storage. */
const viewedItems = '__kla_viewed'

/**
 * Removes what the script keeps of the visitor: its cookie and the viewed items. Which of the host's domains
 * the cookie was set for cannot be read.
 */
export function forgetVisitor(): void {
  keepEntry(viewedItems, undefined)
  const labels = location.hostname.split('.')
  const domains = labels.map((_, index) => `; Domain=${labels.slice(index).join('.')}`)
  for (const domain of ['', ...domains]) document.cookie = `${cookie}=; Path=/; Max-Age=0${domain}`
}

/** Writes an entry of the browser's storage, or removes it. */
export function keepEntry(entry: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(entry)
    else localStorage.setItem(entry, text)
  } catch {
    // This browser has no storage, so there is nothing to remove either.
  }
}
