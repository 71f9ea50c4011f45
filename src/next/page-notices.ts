import { z } from 'zod'
import type { FlashNotice } from '../http/session.js'

// A page cannot take notices out of a cookie, so the proxy does, and the page reads them here.
const noticesHeader = 'x-storeconnect-notices'

const notices = z.array(z.object({ kind: z.enum(['notice', 'error']), text: z.string() }))

/** Gives notices to the page; what a client sent under that name goes. */
export function writeNotices(headers: Headers, flash: readonly FlashNotice[]): void {
  headers.delete(noticesHeader)
  if (flash.length > 0) headers.set(noticesHeader, encodeURIComponent(JSON.stringify(flash)))
}

/** The notices that the page is to show. */
export function noticesOf(headers: Headers): FlashNotice[] {
  try {
    const text = decodeURIComponent(headers.get(noticesHeader) ?? '')
    return text === '' ? [] : (notices.safeParse(JSON.parse(text)).data ?? [])
  } catch {
    // Nothing of ours: where the proxy does not run, a client may send what it likes.
    return []
  }
}
