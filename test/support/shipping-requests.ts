import { testCredentials } from './store-config.js'

const url = 'https://shop.example/actions/shippingconnect/orders/process'

export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

export const authorization = basic(testCredentials.username, testCredentials.password)

type Parameters = Record<string, string>

/** A request as the platform makes it, with the right credentials unless the test gives others. */
export function shippingRequest(parameters: Parameters, init: RequestInit = {}): Request {
  const headers = new Headers({ authorization })
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
  return new Request(`${url}?${new URLSearchParams(parameters).toString()}`, { ...init, headers })
}

export const exportRequest = (parameters: Parameters = {}, init: RequestInit = {}): Request =>
  shippingRequest({ action: 'export', ...parameters }, init)

export const noticeRequest = (parameters: Parameters = {}, init: RequestInit = {}): Request =>
  shippingRequest({ action: 'shipnotify', ...parameters }, { method: 'POST', ...init })
