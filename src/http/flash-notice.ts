import type { FlashNotice, Session } from './session.js'

/** Has the next page say something once, however often it was to be said. */
export function addNotice(
  session: Session,
  text: string,
  kind: FlashNotice['kind'] = 'notice',
): void {
  const waiting = session.data.flash ?? []
  if (waiting.some((notice) => notice.text === text && notice.kind === kind)) return
  session.change({ flash: [...waiting, { kind, text }] })
}

const handedOverMs = 60_000

/**
 * Takes out the notices that a page view is to show. The page may have been made before anybody asked
 * for it, so `takeNotices` gives them to it once more.
 */
export function handOverNotices(session: Session, now: Date): FlashNotice[] {
  const { flash: notices } = session.data
  if (notices === undefined) return []
  const until = now.getTime() + handedOverMs
  session.change({ flash: undefined, handedOver: { notices, until } })
  return notices
}

/** Takes out what a page that is open in the browser is to show: each notice once. */
export function takeNotices(session: Session, now: Date): FlashNotice[] {
  const { flash = [], handedOver } = session.data
  if (handedOver !== undefined || flash.length > 0) {
    session.change({ flash: undefined, handedOver: undefined })
  }
  const isFresh = handedOver !== undefined && now.getTime() < handedOver.until
  return isFresh ? [...handedOver.notices, ...flash] : flash
}
