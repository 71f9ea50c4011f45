/** Below Payload's API route, with the id of a payment behind it. */
export const finishOrderPath = '/storeconnect/finish-order'
