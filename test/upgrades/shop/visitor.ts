export type Handle = (request: Request) => Promise<Response>

const origin = 'https://shop.example'

/** A visitor who keeps cookies, and posts forms with the token that the shop gives to pages. */
export function visitorWith(handle: Handle, cookies = new Map<string, string>()) {
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    headers.set('origin', origin)
    headers.set('sec-fetch-site', 'same-origin')
    headers.set('accept', 'application/json')
    const response = await handle(new Request(`${origin}${path}`, { ...init, headers }))
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    return response
  }
  return {
    cookies,
    ask,
    async token(): Promise<string> {
      const info = await ask('/actions/users/session-info')
      return ((await info.json()) as { csrfTokenValue: string }).csrfTokenValue
    },
    post: (path: string, fields: Record<string, string>) =>
      ask(path, { method: 'POST', body: new URLSearchParams(fields) }),
  }
}

/** ShipStation's request, with the credentials that the shop's settings hold. */
export function shipStationRequest(parameters: Record<string, string>, method = 'GET'): Request {
  const authorization = `Basic ${Buffer.from('ship:secret').toString('base64')}`
  const query = new URLSearchParams(parameters).toString()
  return new Request(`${origin}/actions/shippingconnect/orders/process?${query}`, {
    method,
    headers: { authorization },
  })
}
