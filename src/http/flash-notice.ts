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

/** Takes out what a page is to show: each notice is shown once. */
export function takeNotices(session: Session): FlashNotice[] {
  const { flash = [] } = session.data
  if (flash.length > 0) session.change({ flash: undefined })
  return flash
}
