import type { NewSend } from '../../delivery/outbox.js'
import type { Message } from '../../marketing/message.js'
import { throughHooks, type HookParts } from '../../marketing/through-hooks.js'

/**
 * A post's sends as the store's hooks want them; what a hook keeps back is left out. The keys stay
 * those of the post, so that the same post again is a repeat.
 */
export async function hookedSends(sends: readonly NewSend[], parts: HookParts): Promise<NewSend[]> {
  const hooked = await Promise.all(sends.map((send) => hookedSend(send, parts)))
  return hooked.flatMap((send) => send ?? [])
}

async function hookedSend(send: NewSend, parts: HookParts): Promise<NewSend | undefined> {
  const message = await hookedMessage(send.message, parts)
  if (message === undefined || send.otherwise === undefined) return message && { ...send, message }
  const instead = await hookedMessage(send.otherwise.message, parts)
  return instead && { ...send, message, otherwise: { ...send.otherwise, message: instead } }
}

/** What is told of lists is neither a profile's nor an event's to change. */
const hookedMessage = async (message: Message, parts: HookParts): Promise<Message | undefined> =>
  message.kind === 'identify' || message.kind === 'event' ? throughHooks(message, parts) : message
