import type { BasePayload, CollectionConfig } from 'payload'

type Hook = (args: { req: { payload: BasePayload } }) => unknown

/** The collection, with the hooks that it got from us doing nothing where Storeconnect does not work. */
export function guardHooks(
  given: CollectionConfig,
  extended: CollectionConfig,
  works: (payload: BasePayload) => boolean,
): CollectionConfig {
  if (extended.hooks === undefined || extended.hooks === given.hooks) return extended
  const hooksOf = (collection: CollectionConfig) =>
    (collection.hooks ?? {}) as Record<string, Hook[] | undefined>
  const guarded = Object.entries(hooksOf(extended)).map(([name, hooks = []]) => {
    const own = hooksOf(given)[name] ?? []
    return [name, hooks.map((hook) => (own.includes(hook) ? hook : guard(hook, works)))]
  })
  return { ...extended, hooks: Object.fromEntries(guarded) as typeof extended.hooks }
}

/** A hook that returns nothing leaves what it was given as it is. */
const guard =
  (hook: Hook, works: (payload: BasePayload) => boolean): Hook =>
  (args) =>
    works(args.req.payload) ? hook(args) : undefined
