import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type {
  AfterErrorHook,
  BasePayload,
  CollectionConfig,
  Config,
  Endpoint,
  Plugin,
} from 'payload'
import { withCommands } from './core/payload/either-version.js'
import { sqlDatabase } from './core/database/database.js'
import { refusalIn } from './core/database/refusal.js'
import { renewBusyConnection } from './core/database/renew-busy-connection.js'
import {
  surviveLostConnections,
  withFailover,
  withWholePool,
} from './plugin/postgres-connections.js'
import { safeLog } from './core/database/log.js'
import { realEffects, neverSetBack } from './core/effects.js'
import type { Feature, StoreConfig } from './core/feature.js'
import type { Parts } from './core/installation.js'
import { featuresOf } from './plugin/features.js'
import { createInstances, followReloads } from './plugin/instances.js'
import {
  handlerOf,
  builtPartsIn,
  partsOf,
  pluginSlug,
  startIn,
  withInstallation,
} from './core/installation.js'
import { customersSlugOf } from './shop/orders/customers-slug.js'
import {
  productsOf,
  resolveOptions,
  type ResolvedOptions,
  type StoreConnectOptions,
} from './plugin/options.js'
import { withFoundFields } from './shop/orders/found-fields.js'
import { defaultIsAdmin, type IsAdmin } from './core/payload/admin-access.js'
import { inEachLanguage, withAdminWords } from './plugin/admin-words.js'
import * as z from 'zod/mini'
import { guardHooks } from './core/payload/collection-hooks.js'
import type { Around, Shop } from './core/shop.js'
import { realVisitors } from './core/workers/visitors.js'

declare module 'payload' {
  interface RegisteredPlugins {
    'payload-storeconnect': StoreConnectOptions
  }
}

/**
 * Connects a Payload store to ShipStation and Klaviyo. Add it to `plugins` beside `ecommercePlugin()`.
 * A plugin of your own with an `order` below 100 runs earlier and may change the options at
 * `plugins['payload-storeconnect'].options`.
 *
 * @throws {TypeError} at start-up when an option is wrong or the extension's orders are missing.
 * @example
 * plugins: [ecommercePlugin({ … }), storeConnect({ timezone: 'Europe/Berlin' })]
 */
export function storeConnect(options?: StoreConnectOptions): Plugin
/** @internal Tests pass effects and visitors of their own. */
export function storeConnect(options?: StoreConnectOptions, around?: Partial<Around>): Plugin
export function storeConnect(
  given: StoreConnectOptions = {},
  { visitors = realVisitors, ...effects }: Partial<Around> = {},
): Plugin {
  const options = { ...given }
  const complete = { ...realEffects, ...effects }
  const plugin: Plugin = async (config) => {
    const features = await featuresOf(productsOf(options))
    const resolved = resolveOptions(options, features)
    return extendConfig(config, { features, options: resolved, effects: complete, visitors })
  }
  // `order` makes Payload run this after the ecommerce plugin, wherever the store lists the two.
  return Object.assign(plugin, { slug: pluginSlug, order: 100, options })
}

interface Extending extends Pick<Shop<ResolvedOptions>, 'options' | 'effects' | 'visitors'> {
  features: readonly Feature[]
}

async function extendConfig(
  config: Config,
  { features, options: given, effects, visitors }: Extending,
): Promise<Config> {
  const options = withFoundFields(given, config)
  const { enabled } = options
  const each = <Item>(of: (feature: Feature) => Item | readonly Item[] | undefined): Item[] =>
    features.flatMap((feature) => of(feature) ?? [])
  const customersSlug = customersSlugOf(config, options)
  const decide = options.isAdmin ?? defaultIsAdmin(config, customersSlug)
  // As an access rule it also gets the document. A store's rule must decide by the user alone.
  const isAdmin: IsAdmin = ({ req }) => decide({ req })
  const instances = createInstances({ features, products: options.products }, (payload) =>
    openShop(payload, { options, customersSlug, isAdmin, effects, visitors }),
  )
  const workingPartsOf = async (payload: BasePayload) =>
    enabled && refusalIn(payload) === undefined ? instances.partsFor(payload) : undefined
  const i18n = await withAdminWords(config.i18n, options.products)
  const store: StoreConfig<ResolvedOptions, Parts> = {
    config,
    options,
    customersSlug,
    isAdmin,
    effects,
    say: inEachLanguage(i18n),
    hasOrigin: async (payload, origin) =>
      (await (await workingPartsOf(payload))?.sites.hasOrigin(origin)) ?? false,
    partsOf,
    workingPartsOf,
    fromCart(orders) {
      const makers = each((feature) => feature.fromCart?.(store, orders))
      return async (origin) => {
        const made = await Promise.all(makers.map((make) => make(origin)))
        return Object.fromEntries(made.flatMap(Object.entries))
      }
    },
  }
  const collections = [
    ...(config.collections ?? []),
    ...each((feature) => feature.collections?.(store)),
  ]
  let extended: Config = {
    ...withCommands(config, commands),
    i18n,
    db: withWholePool(withFailover(config.db)),
    collections: collections.map((collection) => extendCollection(collection, features, store)),
    globals: [...(config.globals ?? []), ...each((feature) => feature.globals?.(store))],
  }
  for (const feature of features) extended = feature.config?.(extended, store) ?? extended
  if (!enabled) return extended

  return {
    ...extended,
    // Our hook runs first, so that the store's own hooks see its result.
    hooks: {
      ...config.hooks,
      afterError: [withFieldErrors, ...(config.hooks?.afterError ?? [])],
    },
    custom: withInstallation(config.custom, {
      ...instances,
      products: options.products,
      start: (payload) =>
        instances.start(
          payload,
          features.some((feature) => feature.isNeededAtStart?.(store, payload)),
        ),
    }),
    endpoints: [
      ...(config.endpoints ?? []),
      ...actionEndpoints,
      ...each((feature) => feature.endpoints?.(store)),
    ],
    async onInit(payload) {
      await extended.onInit?.(payload)
      const refusal = refusalIn(payload)
      if (refusal !== undefined) {
        payload.logger.error(refusal.message)
        return
      }
      surviveLostConnections(payload)
      await startIn(payload)
      followReloads(payload, {
        begin: () => startIn(payload),
        end: async () => builtPartsIn(payload)?.delivery.stop(),
      })
    },
  }
}

/** Adds the features' fields to a collection and, while Storeconnect is switched on, their hooks. */
function extendCollection(
  given: CollectionConfig,
  features: readonly Feature[],
  store: StoreConfig,
): CollectionConfig {
  const apply = (collection: CollectionConfig, of: 'fields' | 'hooks') =>
    features.reduce(
      (before, feature) => feature[of]?.(store)[given.slug]?.(before) ?? before,
      collection,
    )
  const withFields = apply(given, 'fields')
  return store.options.enabled ? guardHooks(given, apply(withFields, 'hooks')) : withFields
}

const here = dirname(fileURLToPath(import.meta.url))

/** Payload's commands. That of a product that is off says so. */
const commands = ['sync-orders', 'erase', 'try', 'doctor'].map((name) => ({
  key: `storeconnect:${name}`,
  scriptPath: join(here, `mounts/cli/${name}.js`),
}))

function openShop(
  payload: BasePayload,
  given: Omit<Shop<ResolvedOptions>, 'payload' | 'database' | 'log' | 'waits'>,
): Shop<ResolvedOptions> {
  renewBusyConnection(payload)
  return {
    ...given,
    payload,
    database: sqlDatabase(payload),
    log: safeLog(payload.logger),
    waits: neverSetBack(given.effects),
  }
}

/** Answers the actions below Payload's API route, for a store that has not mounted `/actions`. */
const actionEndpoints: Endpoint[] = (
  ['get', 'head', 'post', 'put', 'patch', 'delete'] as const
).map((method) => ({
  path: '/actions/:path*',
  method,
  handler: (req) => handlerOf(req.payload)(req as Request),
}))

/**
 * Payload knows its validation error by the class, which fails where a build has two copies of Payload; this
 * goes by the shape.
 */
const withFieldErrors: AfterErrorHook = ({ error, result }) => {
  const refusal = refusalSchema.safeParse(error).data
  const isComplete = result?.errors.some((each) => 'data' in each && each.data !== undefined)
  if (!refusal || isComplete) return
  return { response: { errors: [refusal] } }
}

const refusalSchema = z.object({
  name: z.literal('ValidationError'),
  message: z.string(),
  data: z.looseObject({
    errors: z.array(z.looseObject({ message: z.string(), path: z.string() })).check(z.minLength(1)),
  }),
})
