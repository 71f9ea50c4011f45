import type { FlashNotice, Session } from './session.js'

/** Has the next page say something once. */
export function addNotice(
  session: Session,
  text: string,
  kind: FlashNotice['kind'] = 'notice',
): void {
  session.change({ flash: [...(session.data.flash ?? []), { kind, text }] })
}
