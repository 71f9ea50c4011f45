import type { BasePayload, CollectionConfig } from 'payload'
import { refusalIn } from '../database/refusal.js'

type Hooks = NonNullable<CollectionConfig['hooks']>

type Hook = (args: { req: { payload: BasePayload } }) => unknown

/** The collection with more hooks, which run after its own. */
export function withHooks(collection: CollectionConfig, more: Hooks): CollectionConfig {
  const { hooks = {} } = collection
  const joined = (Object.keys(more) as (keyof Hooks)[]).map((name) => [
    name,
    [...(hooks[name] ?? []), ...(more[name] ?? [])],
  ])
  return { ...collection, hooks: { ...hooks, ...(Object.fromEntries(joined) as Hooks) } }
}

/** Makes the hooks that we added do nothing where Storeconnect does not work. */
export function guardHooks(given: CollectionConfig, extended: CollectionConfig): CollectionConfig {
  if (extended.hooks === undefined || extended.hooks === given.hooks) return extended
  const hooksOf = (collection: CollectionConfig) =>
    (collection.hooks ?? {}) as Record<string, Hook[] | undefined>
  const guarded = Object.entries(hooksOf(extended)).map(([name, hooks = []]) => {
    const own = hooksOf(given)[name] ?? []
    return [name, hooks.map((hook) => (own.includes(hook) ? hook : guard(hook)))]
  })
  return { ...extended, hooks: Object.fromEntries(guarded) as typeof extended.hooks }
}

/** Payload keeps the data as it is when a hook returns undefined. */
const guard =
  (hook: Hook): Hook =>
  (args) =>
    refusalIn(args.req.payload) === undefined ? hook(args) : undefined
