import {
  definePlugin,
  type BasePayload,
  type CollectionConfig,
  type Config,
  type Endpoint,
  type PayloadRequest,
  type Plugin,
} from 'payload'
import { buildParts, type BuiltParts } from './build-parts.js'
import { handlerOf, installedIn, pluginSlug, withInstallation } from './installation.js'
import type { StoreConnectOptions } from './options/options.js'
import { resolveOptions, type ResolvedOptions } from './options/resolve-options.js'
import { defaultIsAdmin } from './store/payload/admin-access.js'
import { currenciesOf } from './store/payload/amount-field.js'
import { inEachLanguage, withAdminWords } from './store/payload/admin-words.js'
import { extendCustomers } from './store/payload/customer-hooks.js'
import { databaseRefusal, keepsBlocksAsJson } from './store/payload/database-refusal.js'
import { withChangesOnly } from './store/payload/changes-only.js'
import { snakeCase } from './store/payload/database.js'
import { withDeliveryTask } from './store/payload/delivery-task.js'
import { customersSlugOf, extendCarts, extendOrders } from './store/payload/extend-collections.js'
import { guardHooks } from './store/payload/guarded-hooks.js'
import { withFieldErrors } from './store/payload/field-errors.js'
import { historyCollection } from './history/history-collection.js'
import { withCommands } from './history/with-commands.js'
import { closeJobStats, withReadableJobStats } from './store/payload/job-stats.js'
import { listCollection } from './store/payload/list-collection.js'
import { listEndpoint } from './store/payload/list-endpoint.js'
import { marketingSettingsGlobal } from './store/payload/marketing-settings-global.js'
import { noticeCollection } from './store/payload/notice-collection.js'
import { omissionCollection } from './store/payload/omission-collection.js'
import { orderChoices } from './store/payload/order-choices.js'
import { extendTransactions } from './shop-events/checkout-hook.js'
import { leaseCollection } from './delivery/lease-collection.js'
import { withSendSchema } from './delivery/send-schema.js'
import { sendCollection } from './delivery/send-collection.js'
import { overviewEndpoints } from './store/payload/overview/overview-endpoints.js'
import { overviewGlobal, withDashboardCard } from './store/payload/overview/overview-global.js'
import { withRawIndex } from './store/payload/raw-index.js'
import { shippingSettingsGlobal } from './store/payload/shipping-settings-global.js'
import { requestCountCollection } from './store/payload/shared-counts.js'
import { siteCollection, withSitesForgotten } from './store/payload/site-collection.js'
import { surviveLostConnections } from './store/payload/survive-lost-connections.js'
import { locateTracking } from './store/payload/tracking-place.js'
import { withFailover } from './store/payload/with-failover.js'

export { klaviyoListField, klaviyoListsField } from './store/payload/list-field.js'

/**
 * Ties a Payload store to ShipStation and Klaviyo. Add it to `plugins` beside `ecommercePlugin()`.
 *
 * @throws {TypeError} at start-up when an option is wrong or the extension's orders are missing.
 * @example
 * plugins: [ecommercePlugin({ … }), storeConnect({ timezone: 'Europe/Berlin' })]
 */
export const storeConnect = (options: StoreConnectOptions = {}): Plugin => plugin({ options })

const plugin = definePlugin<{ options: StoreConnectOptions }>({
  slug: pluginSlug,
  // Behind the ecommerce plugin, wherever the store lists us.
  order: 100,
  plugin: ({ config, options }) => extendConfig(config, resolveOptions(options)),
})

function extendConfig(config: Config, options: ResolvedOptions): Config {
  const { collections } = options
  const orders = config.collections?.find(({ slug }) => slug === collections.orders)
  if (orders === undefined) {
    throw new TypeError(
      `storeConnect(): there is no collection "${collections.orders}". Add ecommercePlugin(), or name the collection in collections.orders.`,
    )
  }
  const customersSlug = customersSlugOf(orders, options)
  const isAdmin = options.isAdmin ?? defaultIsAdmin(config, customersSlug)
  const installed = new WeakMap<BasePayload, BuiltParts>()
  const partsFor = (payload: BasePayload): BuiltParts => {
    const parts = installed.get(payload) ?? buildParts(payload, options)
    installed.set(payload, parts)
    return parts
  }
  const outboxOf = (payload: BasePayload) => partsFor(payload).outbox
  const eventsOf = (payload: BasePayload) => partsFor(payload).events
  const parts = {
    options,
    isAdmin,
    amounts: {
      currencies: currenciesOf(orders.fields, options.fields.amount),
      currencyPath: options.fields.currency,
    },
    siteOf: (req: PayloadRequest) => siteOf(req, partsFor(req.payload).sites),
    eventsOf,
  }
  const extend: Record<string, (collection: CollectionConfig) => CollectionConfig> = {
    [collections.orders]: (collection) => extendOrders(collection, parts),
    [collections.carts]: (collection) => extendCarts(collection, parts),
    [collections.transactions]: (collection) => extendTransactions(collection, parts),
    ...(customersSlug && {
      [customersSlug]: (collection) => extendCustomers(collection, parts),
    }),
    [collections.sites]: (collection) =>
      options.enabled ? withSitesForgotten(collection) : collection,
  }
  const i18n = withAdminWords(config.i18n)
  // Of the store as it is in the end: plugins behind this one may add to the orders.
  const choicesIn = (payload: BasePayload) =>
    orderChoices(payload.collections[collections.orders]?.config.fields ?? [], options.fields)
  const forAdmins = { isAdmin, say: inEachLanguage(i18n) }
  const hasSites = config.collections?.some(({ slug }) => slug === collections.sites)
  const ownSites = hasSites ? [] : [siteCollection(collections.sites, isAdmin)]
  const db = options.enabled ? withChangesOnly(config.db, collections.orders) : config.db

  const extended: Config = {
    ...config,
    db: withRawIndex(withReadableJobStats(withSendSchema(withFailover(db))), {
      collection: collections.orders,
      name: `${snakeCase(collections.orders)}_updated_at_id_idx`,
      on: ['updatedAt', 'id'],
    }),
    collections: [
      ...[...(config.collections ?? []), ...ownSites].map((collection) =>
        guardHooks(collection, extend[collection.slug]?.(collection) ?? collection, works),
      ),
      noticeCollection(collections.orders, isAdmin),
      omissionCollection(collections.orders, isAdmin),
      listCollection,
      sendCollection({ isAdmin, outboxOf }, { hasTextIds: config.db.defaultIDType === 'text' }),
      leaseCollection,
      historyCollection(isAdmin),
      requestCountCollection,
    ],
    globals: [
      ...(config.globals ?? []),
      overviewGlobal({ isAdmin, options }),
      shippingSettingsGlobal(options.shipping.settings, { ...forAdmins, choicesIn }),
      marketingSettingsGlobal(options.marketing.settings, {
        ...forAdmins,
        statusesIn: (payload) => choicesIn(payload).statusHandle,
      }),
    ],
    bin: withCommands(config.bin),
    jobs: withDeliveryTask(config.jobs, { isAdmin, deliver }),
    i18n,
    async onInit(payload) {
      closeJobStats(payload, isAdmin)
      await config.onInit?.(payload)
    },
  }
  if (!options.enabled) return extended

  return {
    ...extended,
    admin: withDashboardCard(config.admin, { isAdmin, options }),
    // In front of the store's own, which then see the whole of it.
    hooks: {
      ...config.hooks,
      afterError: [withFieldErrors, ...(config.hooks?.afterError ?? [])],
    },
    custom: withInstallation(config.custom, { partsFor, refusalFor: databaseRefusal }),
    endpoints: [
      ...(config.endpoints ?? []),
      ...actionEndpoints,
      listEndpoint({ isAdmin, customersSlug }),
      ...overviewEndpoints(isAdmin),
    ],
    async onInit(payload) {
      await extended.onInit?.(payload)
      const refusal = databaseRefusal(payload)
      if (refusal !== undefined) {
        payload.logger.error(refusal)
        return
      }
      surviveLostConnections(payload)
      // Built at start-up, so that a field or table that is missing is told then.
      const { delivery, settings } = partsFor(payload)
      if (keepsBlocksAsJson(payload)) {
        const matrix = locateTracking(payload, collections.orders, await settings.shipping())
        if ('missing' in matrix) payload.logger.error(matrix.missing)
      }
      if (options.marketing.delivery === 'loop' && !isBuild()) delivery.start()
    },
  }
}

const works = (payload: BasePayload) => databaseRefusal(payload) === undefined

/** A build of the store opens Payload too, and has nothing to deliver. */
const isBuild = () => process.env.NEXT_PHASE === 'phase-production-build'

/** The site that the request was made on. The store's own code may call without any request. */
async function siteOf(req: PayloadRequest, sites: BuiltParts['sites']) {
  const { payloadAPI, headers, url } = req
  // Payload makes up a URL for such a call.
  const asked = payloadAPI === 'local' ? undefined : url
  return (await sites.ofRequest({ url: asked, headers }, req))?.id
}

/** How long Payload's task delivers; serverless functions live about a minute. */
const taskSeconds = 50

/** Does nothing where Storeconnect is switched off or refuses the database. */
const deliver = async (req: PayloadRequest): Promise<void> =>
  installedIn(req.payload)?.delivery.runUntilIdle({
    deadline: new Date(Date.now() + taskSeconds * 1000),
  })

/** The actions below Payload's own API route, for a store that has not mounted `/actions`. */
const actionEndpoints: Endpoint[] = (
  ['get', 'head', 'post', 'put', 'patch', 'delete'] as const
).map((method) => ({
  path: '/actions/:path*',
  method,
  handler: (req) => handlerOf(req.payload)(req as Request),
}))
