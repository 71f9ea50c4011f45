import type { BasePayload } from 'payload'
import { createUpdateCart } from './actions/cart/update-cart-action.js'
import { formAction, type FormParts } from './actions/form-action.js'
import { createForwards } from './actions/forward.js'
import { createFrontDoor } from './actions/front-door.js'
import { createFindOrderDetails } from './actions/marketing/find-order-details.js'
import { createIdentifyAction } from './actions/marketing/identify-action.js'
import { createTrackAction } from './actions/marketing/track-action.js'
import { createOrderExport } from './actions/order-export/order-export-direction.js'
import { createRecheck } from './actions/order-export/recheck-orders.js'
import { createOrderPreview } from './actions/order-export/preview-order.js'
import { createWindowPreview } from './actions/order-export/preview-window.js'
import { createRestore } from './actions/restore/restore-action.js'
import { createProductFeed } from './actions/product-feed/product-feed-action.js'
import { sessionCart, type SessionCart } from './actions/session-info/session-cart.js'
import { createSessionInfo } from './actions/session-info/session-info-action.js'
import { shippingSettingsProblem } from './actions/shipping/settings-problem.js'
import { createShippingAction } from './actions/shipping/shipping-action.js'
import { createShipmentNotice } from './actions/shipment-notice/shipment-notice-direction.js'
import { createStoreActions } from './actions/store-actions.js'
import { createLogin } from './actions/users/login-action.js'
import { createLogout } from './actions/users/logout-action.js'
import type { Action, Visit } from './actions/visit.js'
import { createDeliveryLoop, type DeliveryLoop } from './delivery/delivery-loop.js'
import { createDeliverer } from './delivery/deliverer.js'
import { createDeliveryStore } from './delivery/delivery-store.js'
import { createNotifications } from './delivery/notifications.js'
import { createPruning } from './delivery/prune-sends.js'
import { createCsrfTokens } from './http/csrf.js'
import { publicUrl } from './http/public-origin.js'
import { createLoginThrottle } from './http/login-throttle.js'
import { createPostThrottle, type PostThrottle } from './http/post-throttle.js'
import { createRestoreLinks, restorePath, type RestoreLinks } from './http/restore-link.js'
import type { SharedCounts } from './http/rate-limit.js'
import { createOwnOrigins, originsOf } from './http/same-site.js'
import { createSessions } from './http/session.js'
import { createSignedRedirects } from './http/signed-redirect.js'
import { createHistory } from './history/history.js'
import type { Installed } from './installation.js'
import { createKlaviyo } from './klaviyo/klaviyo.js'
import { createKnownLists } from './marketing/known-lists.js'
import type { ResolvedOptions } from './options/resolve-options.js'
import { cartHolder } from './store/cart-holder.js'
import type { OrderDetailsSource } from './store/order-details-source.js'
import type { MissingProductField } from './store/overview.js'
import type { Carts } from './store/carts.js'
import { createBrowserCarts } from './store/payload/browser-carts.js'
import { cartSchemaOf } from './store/payload/cart-documents.js'
import { createCheckoutUrls } from './store/payload/checkout-urls.js'
import { isBusyDatabase } from './store/payload/busy-database.js'
import { sqlDatabase, type Database } from './store/payload/database.js'
import { customersSlugOf } from './store/payload/extend-collections.js'
import { createOrderList } from './store/payload/fixed-order-list.js'
import { createLeftCarts } from './store/payload/left-carts.js'
import { hasOurNumbers } from './store/payload/order-fields.js'
import { createOrderReader } from './store/payload/order-reader.js'
import { createShipmentLog } from './store/payload/order-shipments.js'
import { createOutbox, type Outbox } from './delivery/outbox.js'
import { sendTable } from './delivery/send-table.js'
import { createShopFeed, type ShopEvents } from './shop-events/shop-events.js'
import { createPlatformVisits } from './store/payload/overview/kept-visits.js'
import { withTestsNoted } from './store/payload/overview/noted-tests.js'
import { createOrderLook } from './store/payload/overview/order-look.js'
import { createOverview } from './store/payload/overview/overview.js'
import { createPageTexts } from './store/payload/page-texts.js'
import { createCarts } from './store/payload/payload-carts.js'
import { createCatalogue } from './store/payload/payload-catalogue.js'
import { createSites, type PayloadSites } from './store/payload/payload-sites.js'
import { createUsers } from './store/payload/payload-users.js'
import { createPlatformListMemory } from './store/payload/platform-lists.js'
import { createFeedProducts } from './store/payload/product-feed.js'
import { missingProductFields } from './store/payload/product-paths.js'
import { createOmissionRecord } from './store/payload/recorded-omissions.js'
import { renewBusyConnection } from './store/payload/renew-busy-connection.js'
import { createSettingsSource, type PayloadSettings } from './store/payload/settings.js'
import { hasStoreField } from './store/payload/shipping-settings-global.js'
import { createSharedCounts } from './store/payload/shared-counts.js'
import { createGate } from './store/payload/turns.js'
import { createVisitors } from './store/payload/visitors.js'

/** What the parts of one Payload instance share. */
interface Ground {
  payload: BasePayload
  options: ResolvedOptions
  database: Database
  settings: PayloadSettings
  sites: PayloadSites
  restoreLinks: RestoreLinks
  /** What the throttles count. */
  counts: SharedCounts
  postThrottle: PostThrottle
  /** Slug of the customers' collection; undefined in a store without accounts. */
  customersSlug: string | undefined
  now: () => Date
}

/** The parts, with what the hooks of the shop's own collections need. */
export interface BuiltParts extends Installed {
  events: ShopEvents
  sites: PayloadSites
}

/** Builds the parts of a Payload instance and hands them over: the only place that does. */
export function buildParts(payload: BasePayload, options: ResolvedOptions): BuiltParts {
  const now = () => new Date()
  const orders = payload.collections[options.collections.orders]?.config
  const database = sqlDatabase(payload)
  renewBusyConnection(payload)
  const { secret } = payload.config
  const counts = createSharedCounts(database, { secret, now })
  const ground: Ground = {
    payload,
    options,
    database,
    settings: createSettingsSource(payload, options, { environment: process.env, now }),
    sites: createSites(payload, options, now),
    counts,
    postThrottle: createPostThrottle({ counts, log: payload.logger }),
    restoreLinks: createRestoreLinks({
      secret,
      signed: options.restore.signedLinks,
      linkDays: options.restore.linkDays,
      now,
    }),
    customersSlug: customersSlugOf({ fields: orders?.fields ?? [] }, options),
    now,
  }
  const { details, ...marketing } = buildMarketing(ground)
  const { action: shipping, ...pageParts } = buildShipping(ground, marketing)
  const carts = buildCarts(ground)
  const browserCarts = carts && createBrowserCarts({ ...ground, carts })
  const sessions = createSessions({ secret })
  const visitorOf = createVisitors(payload, options.marketing)
  const cartOf = async (visit: Visit) => {
    if (browserCarts === undefined) return {}
    const [{ data }, visitor] = await Promise.all([visit.session(), visit.visitor()])
    const site = await ground.sites.at(publicUrl(visit.request))
    return sessionCart(browserCarts, cartHolder(data, { visitor, site }))
  }
  const handle = createFrontDoor({
    actions: buildActions(ground, { outbox: marketing.outbox, carts, details, shipping, cartOf }),
    log: payload.logger,
    isBusy: isBusyDatabase,
    sessions,
    visitorOf,
    trustProxy: options.trustProxy,
  })
  const { settings, sites, restoreLinks } = ground
  return {
    ...marketing,
    ...pageParts,
    settings,
    sites,
    restoreLinks,
    checkoutUrl: createCheckoutUrls(ground),
    handle,
    carts,
    browserCarts,
    sessions,
    visitorOf,
  }
}

function buildMarketing(ground: Ground) {
  const { payload, options, database, settings, now } = ground
  const stored = createOutbox(database)
  const klaviyo = createKlaviyo({ apiUrl: options.marketing.apiUrl, fetch, now })
  const platform = withTestsNoted(klaviyo, payload, now)
  const clock = { now }
  const log = payload.logger
  const outbox: Outbox = {
    ...stored,
    async store(sends) {
      await stored.store(sends)
      delivery.wake()
    },
  }
  const { feeds, events: shop, details, orders, contextOf } = createShopFeed({ ...ground, outbox })
  const { histories, worker } = createHistory({ ...ground, orders, contextOf, outbox, log })
  const pruning = createPruning({ store: createDeliveryStore(database), clock, settings })
  const workers = [pruning, ...feeds, worker]
  const deliverer = createDeliverer({ database, platform, settings, log, clock })
  const notifications = createNotifications(payload, database, log)
  const loop = createDeliveryLoop({ deliverer, workers, notifications, clock, log })
  const events: ShopEvents = {
    ...shop,
    wake() {
      for (const feed of feeds) feed.wake()
      loop.wake()
    },
  }
  const delivery: DeliveryLoop = {
    ...loop,
    async stop() {
      await ground.postThrottle.flush()
      await loop.stop()
    },
    async runUntilIdle(options) {
      for (const feed of feeds) {
        await feed.catchUp(options.deadline).catch((error: unknown) => {
          log.error({ err: error, part: feed.name }, 'The delivery failed, and goes on')
        })
      }
      await loop.runUntilIdle(options)
    },
  }
  const memory = createPlatformListMemory(payload)
  const knownLists = createKnownLists({ platform, settings, memory, now, log })
  const deliveryStatus = () => deliverer.status()
  return {
    outbox,
    events,
    feeds,
    details,
    histories,
    platform,
    knownLists,
    delivery,
    deliveryStatus,
  }
}

function buildCarts(ground: Ground): Carts | undefined {
  const { payload, options } = ground
  if (!payload.collections[options.collections.carts]) return undefined
  return createCarts({ ...ground, schema: cartSchemaOf(payload, options) })
}

function buildActions(
  ground: Ground,
  {
    outbox,
    carts,
    details,
    shipping,
    cartOf,
  }: Pick<Installed, 'outbox' | 'carts'> & {
    details: OrderDetailsSource
    shipping: Action
    cartOf: (visit: Visit) => Promise<SessionCart>
  },
): Record<string, Action> {
  const { payload, options, settings, sites, postThrottle, now } = ground
  const { secret, serverURL, csrf: origins, routes } = payload.config
  const csrf = createCsrfTokens({ secret })
  const form: FormParts = {
    csrf,
    redirects: createSignedRedirects({ secret }),
    isOwnOrigin: createOwnOrigins([serverURL, ...origins]),
    apiRoute: routes.api,
  }
  const shop = shopActions(ground, form, carts)
  const taken = [...Object.keys(shop), sessionInfoPath]
  const own = createStoreActions({ actions: options.actions, taken, forms: form })
  const marketing = {
    form,
    forwards: createForwards({ actions: { ...shop, ...own } }),
    hooks: options.marketing,
    throttle: postThrottle,
    settings,
    outbox,
    log: payload.logger,
    now,
  }
  return {
    ...shop,
    ...own,
    ...(carts && { [restorePath]: restoreAction(ground, form, carts) }),
    ...(carts && { 'marketingconnect/catalog/products': productFeedAction(ground) }),
    [sessionInfoPath]: createSessionInfo({ ...form, cart: cartOf, now }),
    'marketingconnect/api/identify': createIdentifyAction(marketing),
    'marketingconnect/api/track': createTrackAction({
      ...marketing,
      timezone: options.timezone,
      findOrderDetails: createFindOrderDetails({ ...ground, carts, details }),
      ownOrigins: async () => originsOf([serverURL, ...origins, ...(await sites.baseUrls())]),
      hasOwnNumbers: hasOwnNumbers(ground),
    }),
    'shippingconnect/orders/process': shipping,
  }
}

/** Whether what identifies orders at the marketing platform may look like anything. */
function hasOwnNumbers({ payload, options }: Ground): boolean {
  const orders = payload.collections[options.collections.orders]
  return (
    options.shipping.mapOrder !== undefined ||
    orders?.customIDType === 'text' ||
    !hasOurNumbers(orders?.config.fields ?? [], options)
  )
}

const sessionInfoPath = 'users/session-info'

/** Accounts and carts, where the store has them. */
function shopActions(
  { payload, options, sites, counts, customersSlug }: Ground,
  form: FormParts,
  carts: Carts | undefined,
): Record<string, Action> {
  const actions: Record<string, Action> = {}
  const texts = createPageTexts(payload)
  if (carts !== undefined) {
    const catalogue = createCatalogue(payload, cartSchemaOf(payload, options))
    actions['commerce/cart/update-cart'] = formAction(
      form,
      createUpdateCart({ carts, catalogue, sites, texts }),
    )
  }
  if (customersSlug !== undefined && payload.collections[customersSlug]?.config.auth) {
    const users = createUsers(payload, { customersSlug, ...options.marketing })
    const throttle = createLoginThrottle('customers', { counts, log: payload.logger })
    actions['users/login'] = formAction(form, createLogin({ users, carts, sites, throttle, texts }))
    actions['users/logout'] = formAction(form, createLogout({ users, sites, texts }))
  }
  return actions
}

function restoreAction(ground: Ground, { csrf, redirects }: FormParts, carts: Carts): Action {
  const { payload, options, sites, restoreLinks: links, now } = ground
  const schema = cartSchemaOf(payload, options)
  return createRestore({
    leftCarts: createLeftCarts({ ...ground, carts, schema }),
    carts,
    sites,
    links,
    texts: createPageTexts(payload),
    csrf,
    redirects,
    options: options.restore,
    loginPath: options.loginPath,
    log: payload.logger,
    now,
  })
}

function productFeedAction({ payload, options, sites, now }: Ground): Action {
  return createProductFeed({
    products: createFeedProducts(payload, options, cartSchemaOf(payload, options)),
    sites,
    serverUrl: payload.config.serverURL,
    productUrl: options.productUrl,
    log: payload.logger,
    now,
  })
}

/**
 * Notices wait in line in place of failing for lack of a connection: each takes one of PostgreSQL's pool
 * of 10, and the store's own hooks another one. The platform sends again what was refused.
 */
const noticesAtOnce = 4
const noticeLine = { longest: 1000, patienceMs: 20_000 }

function buildShipping(
  ground: Ground,
  { delivery, deliveryStatus }: Pick<Installed, 'delivery' | 'deliveryStatus'>,
) {
  const { payload, options, database, settings, counts, now } = ground
  const { beforeExport } = options.shipping
  const orderFields = payload.collections[options.collections.orders]?.config.fields ?? []
  const log = payload.logger
  const look = createOrderLook(database, options)
  const visits = createPlatformVisits(payload)
  const shipments = createShipmentLog(payload, database, options)
  const exported = {
    reader: createOrderReader(ground),
    log,
    beforeExport,
    timezone: options.timezone,
    now,
    baseUrl: payload.config.serverURL,
    hasStoreField: (field: string) => hasStoreField(orderFields, field),
    omissions: createOmissionRecord(database, options),
  }
  const exportOrders = createOrderExport({
    ...exported,
    list: createOrderList(database, { ...options, log }, now),
    visits,
  })
  return {
    action: createShippingAction({
      settings,
      throttle: createLoginThrottle('shipping', { counts, log }),
      exportOrders,
      recordShipment: createShipmentNotice({
        shipments,
        log,
        inLine: createGate(noticesAtOnce, noticeLine),
      }),
      visits,
      log,
      now,
    }),
    overview: createOverview({
      payload,
      sends: sendTable(database),
      visits,
      settings,
      deliveryStatus,
      settingsProblem: (current) => shippingSettingsProblem(current, { ...exported, shipments }),
      recheck: createRecheck(exported),
      missingProductFields: productFieldsMissing(ground),
      wake: () => delivery.wake(),
      now,
    }),
    previewOrder: createOrderPreview({ ...exported, shipments, look }),
    previewWindow: createWindowPreview({ ...exported, settings, look }),
  }
}

/** None where the store's own code says what a line is. */
function productFieldsMissing({ payload, options }: Ground): MissingProductField[] {
  const hasCarts = payload.collections[options.collections.carts] !== undefined
  if (!hasCarts || options.shipping.mapOrder !== undefined) return []
  const { productsSlug, variantsSlug } = cartSchemaOf(payload, options)
  const slugs = variantsSlug === undefined ? [productsSlug] : [productsSlug, variantsSlug]
  return missingProductFields(payload, { names: options.productFields, slugs })
}
