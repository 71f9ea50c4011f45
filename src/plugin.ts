import type {
  BasePayload,
  CollectionConfig,
  Config,
  Endpoint,
  PayloadRequest,
  Plugin,
} from 'payload'
import { alertCollection, alertMessageCollection } from './alerts/alert-collections.js'
import { alertSettingsGlobal } from './alerts/alert-settings-global.js'
import { buildParts } from './build-parts.js'
import { handlerOf, partsOf, pluginSlug, withInstallation, type Installed } from './installation.js'
import type { StoreConnectOptions } from './options/options.js'
import { resolveOptions, type ResolvedOptions } from './options/resolve-options.js'
import { defaultIsAdmin, type IsAdmin } from './payload/admin-access.js'
import { currenciesOf } from './orders/amount-field.js'
import { inEachLanguage, withAdminWords } from './payload/admin-words.js'
import { databaseRefusal, keepsBlocksAsJson, snakeCase } from './database/database.js'
import { withChangesOnly } from './orders/changes-only.js'
import { withDeliveryTask, closeJobStats, withReadableJobStats } from './delivery/delivery-task.js'
import {
  customersSlugOf,
  extendCarts,
  extendCustomers,
  extendOrders,
  guardHooks,
} from './extend-collections.js'
import { withFieldErrors } from './payload/field-errors.js'
import { keptProofCollection } from './consent/kept-proofs.js'
import { erasureCollection } from './erasure/erasure-collection.js'
import { historyCollection } from './history/history-collection.js'
import { withCommands } from './cli/with-commands.js'
import { listCollection } from './shipping/export/fixed-order-list.js'
import { consentProofEndpoint } from './consent/consent-proof.js'
import { listEndpoint } from './klaviyo/list-endpoint.js'
import { marketingSettingsGlobal } from './klaviyo/marketing-settings-global.js'
import { noticeCollection } from './shipping/notice/notice-collection.js'
import { skippedOrderCollection } from './shipping/export/skipped-orders.js'
import { orderChoices } from './shipping/order-choices.js'
import { extendTransactions } from './shop-events/extend-transactions.js'
import { leaseCollection } from './delivery/lease.js'
import { withSendSchema } from './delivery/send-table.js'
import { sendCollection } from './delivery/send-collection.js'
import { overviewEndpoints } from './overview/overview-endpoints.js'
import { overviewGlobal, withDashboardCard } from './overview/overview-global.js'
import { withRawIndex } from './database/raw-index.js'
import { shippingSettingsGlobal } from './shipping/shipping-settings.js'
import { requestCountCollection } from './database/shared-counts.js'
import { siteCollection, withSitesForgotten } from './sites/site-collection.js'
import { surviveLostConnections, withFailover } from './database/with-failover.js'
import { locateTracking } from './shipping/notice/tracking-place.js'

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
export function storeConnect(given: StoreConnectOptions = {}): Plugin {
  const options = { ...given }
  const plugin: Plugin = (config) => extendConfig(config, resolveOptions(options))
  // `order` makes Payload run this after the ecommerce plugin, wherever the store lists the two.
  return Object.assign(plugin, { slug: pluginSlug, order: 100, options })
}

function extendConfig(config: Config, options: ResolvedOptions): Config {
  const { collections } = options
  const orders = config.collections?.find(({ slug }) => slug === collections.orders)
  if (orders === undefined) {
    throw new TypeError(
      `storeConnect(): there is no collection "${collections.orders}". Add ecommercePlugin(), or name the collection in collections.orders.`,
    )
  }
  const customersSlug = customersSlugOf(orders, options)
  const decide = options.isAdmin ?? defaultIsAdmin(config, customersSlug)
  // As an access rule it also gets the document. A store's rule must decide by the user alone.
  const isAdmin: IsAdmin = ({ req }) => decide({ req })
  const installed = new WeakMap<BasePayload, Installed>()
  const partsFor = (payload: BasePayload): Installed => {
    const parts = installed.get(payload) ?? buildParts(payload, options, isAdmin)
    installed.set(payload, parts)
    return parts
  }
  /** Undefined when Storeconnect is switched off or the database is unsupported. */
  const workingParts = (payload: BasePayload) =>
    options.enabled && works(payload) ? partsFor(payload) : undefined
  const parts = {
    options,
    isAdmin,
    amounts: {
      currencies: currenciesOf(orders.fields, options.fields.amount),
      currencyPath: options.fields.currency,
    },
    siteOf: (req: PayloadRequest) => siteOf(req, partsFor(req.payload).sites),
    eventsOf: (payload: BasePayload) => partsFor(payload).events,
    partsOf: partsFor,
  }
  const extend: Record<string, (collection: CollectionConfig) => CollectionConfig> = {
    [collections.orders]: (collection) => extendOrders(collection, parts),
    [collections.carts]: (collection) => extendCarts(collection, parts),
    [collections.transactions]: (collection) =>
      extendTransactions(collection, { enabled: options.enabled, eventsOf: parts.eventsOf }),
    ...(customersSlug && {
      [customersSlug]: (collection) => extendCustomers(collection, parts),
    }),
    [collections.sites]: (collection) =>
      options.enabled
        ? withSitesForgotten(collection, (payload) => partsFor(payload).sites.forget())
        : collection,
  }
  const i18n = withAdminWords(config.i18n)
  // This reads the final config, because later plugins may add fields to the orders.
  const choicesIn = (payload: BasePayload) =>
    orderChoices(payload.collections[collections.orders]?.config.fields ?? [], options.fields)
  const say = inEachLanguage(i18n)
  const access = {
    isAdmin,
    hasOrigin: async (payload: BasePayload, origin: string) =>
      (await workingParts(payload)?.sites.hasOrigin(origin)) ?? false,
    // Throws when Storeconnect is switched off: the collections stay, but their endpoints do nothing.
    partsOf,
  }
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
      skippedOrderCollection(collections.orders, isAdmin),
      listCollection(),
      sendCollection(access, { hasTextIds: config.db.defaultIDType === 'text' }),
      leaseCollection(),
      historyCollection(access),
      erasureCollection(access),
      keptProofCollection(customersSlug),
      requestCountCollection(),
      alertCollection(isAdmin),
      alertMessageCollection(),
    ],
    globals: [
      ...(config.globals ?? []),
      overviewGlobal({
        isAdmin,
        timezone: options.timezone,
        ordersSlug: collections.orders,
        isHidden: !options.enabled,
      }),
      shippingSettingsGlobal(options.shipping.settings, {
        isAdmin,
        say,
        choicesIn,
        forget: (payload) => workingParts(payload)?.settings.forgetShipping(),
      }),
      marketingSettingsGlobal(options.marketing.settings, {
        ...access,
        say,
        forget: (payload) => workingParts(payload)?.settings.forgetMarketing(),
        statusesIn: (payload) => choicesIn(payload).statuses,
        marketingOf: workingParts,
      }),
      alertSettingsGlobal(options.alerts.settings, {
        ...access,
        say,
        forget: (payload) => workingParts(payload)?.settings.forgetAlerts(),
        statusesIn: (payload) => choicesIn(payload).statuses,
      }),
    ],
    bin: withCommands(config.bin),
    jobs: withDeliveryTask(config.jobs, {
      isAdmin,
      deliver: async ({ payload }) =>
        workingParts(payload)?.delivery.runUntilIdle({
          deadline: new Date(Date.now() + taskSeconds * 1000),
        }),
    }),
    i18n,
    async onInit(payload) {
      closeJobStats(payload, isAdmin)
      await config.onInit?.(payload)
    },
  }
  if (!options.enabled) return extended

  return {
    ...extended,
    admin: withDashboardCard(config.admin, { isAdmin, timezone: options.timezone }),
    // Our hook runs first, so that the store's own hooks see its result.
    hooks: {
      ...config.hooks,
      afterError: [withFieldErrors, ...(config.hooks?.afterError ?? [])],
    },
    custom: withInstallation(config.custom, { partsFor }),
    endpoints: [
      ...(config.endpoints ?? []),
      ...actionEndpoints,
      listEndpoint({ ...access, customersSlug }),
      consentProofEndpoint(access),
      ...overviewEndpoints(access),
    ],
    async onInit(payload) {
      await extended.onInit?.(payload)
      const refusal = databaseRefusal(payload)
      if (refusal !== undefined) {
        payload.logger.error(refusal)
        return
      }
      surviveLostConnections(payload)
      // The parts are built at start-up, so that a missing field or table is reported then.
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

/** Whether `next build` runs: it opens Payload too, but must not deliver. */
const isBuild = () => process.env.NEXT_PHASE === 'phase-production-build'

/** The id of the site that the request is on. */
async function siteOf(req: PayloadRequest, sites: Installed['sites']) {
  const { payloadAPI, headers, url } = req
  // A call of the local API has no URL of its own; Payload invents one.
  const asked = payloadAPI === 'local' ? undefined : url
  return (await sites.ofRequest({ url: asked, headers }, req))?.id
}

/** Payload's task delivers for so long, because serverless functions live about a minute. */
const taskSeconds = 50

/** Answers the actions below Payload's API route, for a store that has not mounted `/actions`. */
const actionEndpoints: Endpoint[] = (
  ['get', 'head', 'post', 'put', 'patch', 'delete'] as const
).map((method) => ({
  path: '/actions/:path*',
  method,
  handler: (req) => handlerOf(req.payload)(req as Request),
}))
