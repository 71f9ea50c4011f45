import type { NewSend } from '../../delivery/send.js'
import type { EventMessage, IdentifyMessage, Message } from '../../marketing/message.js'
import { profileKey } from '../../marketing/profile.js'
import { throughHooks, type HookParts } from '../../marketing/through-hooks.js'

/**
 * A post's sends as the store's hooks want them; what a hook keeps back is left out, and with a person
 * all that the post says of them, lists too. The keys stay those of the post, so that the same post
 * again is a repeat.
 */
export async function hookedSends(sends: readonly NewSend[], parts: HookParts): Promise<NewSend[]> {
  const keptBack = new Set<string>()
  const hooked = await Promise.all(
    sends.map(async (send) => {
      const { message: posted } = send
      const person = profileKey(posted.profile)
      if (!isForHooks(posted)) return { person, send }
      const onPersonKeptBack = () => void keptBack.add(person)
      const message = await throughHooks(posted, { ...parts, onPersonKeptBack })
      return { person, send: message && withMessage(send, message) }
    }),
  )
  return hooked.flatMap(({ person, send }) => (send && !keptBack.has(person) ? [send] : []))
}

/** What is told of lists is neither a profile's nor an event's to change. */
const isForHooks = (message: Message): message is IdentifyMessage | EventMessage =>
  message.kind === 'identify' || message.kind === 'event'

function withMessage(send: NewSend, message: IdentifyMessage | EventMessage): NewSend {
  const { otherwise } = send
  return {
    ...send,
    message,
    ...(otherwise && {
      otherwise: { ...otherwise, message: likewise(message, otherwise.message) },
    }),
  }
}

/** The same message with the id of another occurrence, if that has one of its own. */
function likewise(message: IdentifyMessage | EventMessage, other: Message): Message {
  if (message.kind !== 'event' || other.kind !== 'event') return message
  return { ...message, event: { ...message.event, uniqueId: other.event.uniqueId } }
}
