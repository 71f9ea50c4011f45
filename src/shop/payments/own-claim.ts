import type { Config, PayloadRequest } from 'payload'

type Adapter = ReturnType<Config['db']['init']>
type Update = Parameters<Adapter['updateOne']>[0]
type Document = Record<string, unknown>

/** What a request does in place of the extension's claim of a payment. `claim` makes it, with these changes. */
export type OwnClaim = (
  claim: (changes: Pick<Update, 'where'>) => Promise<Document | null>,
) => Promise<Document | null>

const key = 'storeconnectClaim'

/** The context of a request that claims the payment in its own way. */
export const withClaim = (claim: OwnClaim): PayloadRequest['context'] => ({ [key]: claim })

/**
 * Lets a request claim a payment in its own way. The extension claims one that is `pending`, by one atomic update
 * ahead of all that it writes, and so leaves one whose process died as it is.
 */
export function withOwnClaims(db: Config['db'], paymentsSlug: string): Config['db'] {
  return {
    ...db,
    init(args) {
      const adapter = db.init(args)
      const updateOne: (this: Adapter, update: Update) => Promise<Document | null> =
        adapter.updateOne
      adapter.updateOne = async (update): Promise<Document | null> => {
        const own = update.req?.context?.[key] as OwnClaim | undefined
        const isClaim = update.collection === paymentsSlug && update.options?.atomic === true
        if (own === undefined || !isClaim) return updateOne.call(adapter, update)
        return own((changes) => updateOne.call(adapter, { ...update, ...changes } as Update))
      }
      return adapter
    },
  }
}
