import { isolateObjectProperty, type PayloadRequest } from 'payload'

/**
 * The request for work that may fail without consequence: Payload rolls the transaction of a request
 * back when something fails that was asked with it, though whoever asked may bear that, but leaves a
 * transaction alone that is still being opened. Whoever began it ends it, by the request itself.
 */
export function keptOpen(req: PayloadRequest): PayloadRequest {
  const own = isolateObjectProperty(req, ['transactionID', 'payloadDataLoader'])
  own.transactionID = Promise.resolve(req.transactionID ?? '')
  // The request's own would read for the request itself.
  Reflect.deleteProperty(own, 'payloadDataLoader')
  return own
}
