import { hashOf } from '../../marketing/send-key.js'

const prefix = 'form:'

/** The longest id that is sent as it is. */
const idLength = 255

/**
 * What the ids of the shop's own events begin with (`unique-id.ts`): an order's number, which is hex
 * digits, or its id, and then nothing or a colon. A long one is sent as its digest.
 */
const looksLikeShops = /^(?:[\da-f-]*(?::|$)|form:|[\w-]{43}$)/i

/** Characters that nobody sees, or that a database or the platform may drop. */
const unseen = /[^\p{L}\p{N}\p{P}\p{S}]/gu

/**
 * The id under which the platform records a form's event. One that an event of the shop itself could
 * have gets a prefix that the shop never uses: the platform would otherwise take the real event for a
 * repeat of the form's. The same posted id always gives the same.
 *
 * @param options.hasOwnNumbers Whether the store makes order numbers of its own, which may look like
 *   anything. Default false.
 */
export function formUniqueId(
  posted: string,
  { hasOwnNumbers = false }: { hasOwnNumbers?: boolean } = {},
): string {
  const isFree =
    !hasOwnNumbers &&
    posted.length <= idLength &&
    !looksLikeShops.test(posted.normalize('NFKC').replaceAll(unseen, ''))
  if (isFree) return posted
  const id = prefix + posted
  return id.length <= idLength ? id : prefix + hashOf(posted)
}
