/** Paths below Payload's API route. They have a file of their own because the browser loads it too. */
export const orderPreviewPath = '/storeconnect/order-preview'
export const windowPreviewPath = '/storeconnect/window-preview'
export const resendReasonPath = '/storeconnect/resend-reason'
