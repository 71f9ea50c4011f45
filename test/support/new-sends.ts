import type { NewSend } from '../../src/marketing/delivery/send.js'
import type { Message } from '../../src/marketing/klaviyo/message.js'
import * as messages from './messages.js'

const start = new Date('2026-11-02T10:00:00.000Z')
/** A moment so many seconds after the start. */
export const at = (seconds: number): Date => new Date(start.getTime() + seconds * 1000)

interface SendWish extends Partial<Omit<NewSend, 'message'>> {
  email?: string
}

export const anEvent = (key: string, { email = 'ada@example.com', ...rest }: SendWish = {}) =>
  aSend(key, rest, messages.anEvent(email, key))

export const anIdentify = (key: string, { email = 'ada@example.com', ...rest }: SendWish = {}) =>
  aSend(key, rest, messages.anIdentify(email, { firstName: key }))

export const aListAdd = (key: string, wish: SendWish & { list?: string } = {}) => {
  const { email = 'ada@example.com', list, ...rest } = wish
  return aSend(key, rest, messages.aListAdd(email, list))
}

export const aSubscribe = (key: string, wish: SendWish & { list?: string } = {}) => {
  const { email = 'ada@example.com', list, ...rest } = wish
  return aSend(key, rest, messages.aSubscribe(email, list))
}

const aSend = (key: string, wish: Partial<NewSend>, message: Message): NewSend => ({
  key,
  acceptedAt: start,
  message,
  ...wish,
})

export const refused = { code: 'invalid', detail: 'Not taken.' }
