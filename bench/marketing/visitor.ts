import type { Connection } from './connection.js'

/** Somebody with a session, and a token for forms. */
export interface Visitor {
  cookie: string
  token: string
}

export async function aVisitor(connection: Connection): Promise<Visitor> {
  const { status, head, body } = await connection.send(
    'GET /actions/users/session-info HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\n\r\n',
  )
  const cookie = /\r\nset-cookie: ([^;]+)/i.exec(head)?.[1]
  const { csrfTokenValue: token } = JSON.parse(body) as { csrfTokenValue?: string }
  if (status !== 200 || cookie === undefined || token === undefined) {
    throw new Error(`There is no session: ${status} ${body}`)
  }
  return { cookie, token }
}

/** The lists of the stand-in's account that confirm nobody. */
export const lists = ['WELCOME', 'VIPLIST'] as const

export interface Post {
  path: string
  visitor: Visitor
  email: string
  /** Without: the event alone. */
  list?: string
}

/** A form's post as it goes over the wire, each with a person of its own. */
export function requestOf({ path, visitor, email, list }: Post): string {
  const body = new URLSearchParams({
    CSRF_TOKEN: visitor.token,
    email,
    'profile[first_name]': 'Anna',
    'profile[location][city]': 'Bonn',
    'event[name]': 'Asked about tea',
    'event[value]': '12.50',
    'event[value_currency]': 'EUR',
    'event[Tea]': 'Sencha',
    'event[Page]': '/tea/sencha',
    ...(list !== undefined && { list }),
  }).toString()
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json',
    'x-requested-with: XMLHttpRequest',
    'content-type: application/x-www-form-urlencoded',
    `content-length: ${body.length}`,
    `cookie: ${visitor.cookie}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
