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
