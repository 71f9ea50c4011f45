import type { PayloadRequest } from 'payload'
import type { Session } from '../../http/session.js'
import { installedIn } from '../../installation.js'
import { addressedOf, answerWithSession, hasSession } from './request-session.js'

/**
 * A hook that renews the session of who logs in or out by Payload's own API. The store's own code has
 * no visitor's session, and who brings none along has nothing to renew.
 */
export const renewSession =
  (renew: (session: Session) => void) =>
  async ({ req }: { req: PayloadRequest }): Promise<void> => {
    const request = addressedOf(req)
    const sessions = installedIn(req.payload)?.sessions
    if (req.payloadAPI === 'local' || !request || !sessions || !hasSession(request)) return
    const session = await sessions.open(request)
    renew(session)
    await answerWithSession(req, session)
  }
