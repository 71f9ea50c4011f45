import type { BasePayload } from 'payload'

/** The URL that the shipping platform is to call. */
export const exportUrl = (payload: Pick<BasePayload, 'config'>, headers: Headers): string =>
  `${payload.config.serverURL || originOf(headers)}/actions/shippingconnect/orders/process`

function originOf(headers: Headers): string {
  const protocol = headers.get('x-forwarded-proto')?.split(',')[0] ?? 'http'
  return `${protocol}://${headers.get('x-forwarded-host') ?? headers.get('host') ?? ''}`
}
