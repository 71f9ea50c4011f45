/** Below Payload's API route. Apart from the endpoints, as the browser needs them too. */
export const orderPreviewPath = '/storeconnect/order-preview'
export const windowPreviewPath = '/storeconnect/window-preview'
export const resendReasonPath = '/storeconnect/resend-reason'
