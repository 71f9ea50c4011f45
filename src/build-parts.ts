import type { BasePayload, PayloadRequest } from 'payload'
import { createUpdateCart } from './carts/update-cart-action.js'
import { formAction, type FormParts } from './http/form-action.js'
import { createForwards } from './http/forward.js'
import { emailIsUnchanged } from './accounts/verified-email.js'
import { createConsentProofs } from './consent/consent-proof.js'
import { createConsentPoll } from './consent/consent-poll.js'
import { createCustomerConsents } from './consent/customer-consents.js'
import {
  createConsentOffers,
  noteCheckoutConsent,
  type CheckoutConsent,
  type ConsentGiver,
} from './consent/checkout-consent.js'
import type { DocumentId } from './database/document-id.js'
import { createFrontDoor } from './http/front-door.js'
import { createAlerts } from './alerts/alerts.js'
import { createAlertSettings } from './alerts/alert-settings.js'
import { createHealth, healthPath, staleAfterMs } from './alerts/health-action.js'
import { createFindOrderDetails, createTrackAction } from './forms/track-action.js'
import { createIdentifyAction } from './forms/marketing-action.js'
import { createOrderExport, createRecheck } from './shipping/export/order-export.js'
import { createOrderPreview } from './shipping/export/preview-order.js'
import { createWindowPreview } from './shipping/export/preview-window.js'
import { createRestore } from './carts/restore/restore-action.js'
import { createProductFeed } from './catalog/product-feed-action.js'
import { createAddedToCart } from './onsite/added-to-cart-action.js'
import { createViewedProducts } from './onsite/viewed-product.js'
import { createOnsiteVisitor } from './onsite/visitor-action.js'
import { createSessionInfo } from './accounts/session-info-action.js'
import { createShippingAction } from './shipping/shipping-action.js'
import { createShipmentNotice } from './shipping/notice/shipment-notice.js'
import { createStoreActions } from './http/store-action.js'
import { createLogin } from './accounts/login-action.js'
import { createLogout } from './accounts/logout-action.js'
import type { Action } from './http/visit.js'
import { neverSetBack } from './delivery/clock.js'
import { createDeliveryLoop } from './delivery/delivery-loop.js'
import { createDeliverer } from './delivery/deliverer.js'
import { createDeliveryStore } from './delivery/delivery-store.js'
import { createNotifications } from './delivery/notifications.js'
import { createPruning } from './delivery/pruning.js'
import { createCsrfTokens } from './http/csrf.js'
import { createLoginThrottle } from './http/login-throttle.js'
import { createPostThrottle } from './forms/post-throttle.js'
import {
  createRestoreLinks,
  restorePath,
  createAbandonedCartUrl,
} from './carts/restore/restore-link.js'
import { createSharedCounts } from './database/shared-counts.js'
import { createOwnOrigins } from './http/same-site.js'
import { createSessions } from './http/session.js'
import { createSignedRedirects } from './http/redirect-target.js'
import { createErasures } from './erasure/erasures.js'
import { createErasureWorker } from './erasure/erasure-worker.js'
import { createIsAdminAccount, type IsAdmin } from './payload/admin-access.js'
import { createHistory } from './history/histories.js'
import type { Installed } from './installation.js'
import { createKlaviyo } from './klaviyo/klaviyo.js'
import { createKnownLists } from './klaviyo/known-lists.js'
import type { ResolvedOptions } from './options/resolve-options.js'
import { createCarts } from './carts/carts.js'
import { cartSchemaOf } from './carts/cart-documents.js'
import { sqlDatabase } from './database/database.js'
import { customersSlugOf } from './extend-collections.js'
import { createOrderList } from './shipping/export/fixed-order-list.js'
import { createAbandonedCarts } from './carts/restore/abandoned-carts.js'
import { hasOwnNumbers } from './orders/order-fields.js'
import { createOrderReader } from './orders/order-reader.js'
import { createShipmentLog } from './shipping/notice/shipment-log.js'
import { createOutbox } from './delivery/outbox.js'
import { sendTable } from './delivery/send-table.js'
import { createShopFeed } from './shop-events/shop-events.js'
import { createShipStationRequests } from './shipping/shipstation-requests.js'
import { withTestsNoted } from './klaviyo/connection-test.js'
import { createOverview } from './overview/overview.js'
import { readLastSentAt } from './overview/read-overview.js'
import { createPageTexts } from './translations/page-texts.js'
import { createPurchasables } from './carts/purchasables.js'
import { createProblemPages } from './sites/problem-pages.js'
import { createSites } from './sites/sites.js'
import { createUsers } from './accounts/users.js'
import { createFeedProducts } from './catalog/product-feed.js'
import { missingProductFields } from './catalog/missing-product-fields.js'
import { createSkippedOrders } from './shipping/export/skipped-orders.js'
import { hasStoreField as isStoreField } from './shipping/order-choices.js'
import { createShippingSettings } from './shipping/shipping-settings.js'
import { createMarketingSettings } from './klaviyo/marketing-settings.js'
import { catchUpFeeds } from './shop-events/feed.js'
import { createAccountProfiles } from './accounts/account-profile.js'
import { createVisitors } from './accounts/visitors.js'
import { renewBusyConnection } from './database/renew-busy-connection.js'

/** What all parts of one Payload instance use. */
type Ground = ReturnType<typeof buildGround>

/** The parts of a store with carts. */
type ShopCarts = NonNullable<ReturnType<typeof buildCarts>>

interface ActionParts extends Pick<
  ReturnType<typeof buildMarketing>,
  'outbox' | 'details' | 'shopCarts' | 'contextOf'
> {
  shop: ShopCarts | undefined
  shipping: Action
  health: Action
}

/** Builds the parts of a Payload instance. No other place does. */
export function buildParts(
  payload: BasePayload,
  options: ResolvedOptions,
  isAdmin: IsAdmin,
): Installed {
  renewBusyConnection(payload)
  const ground = buildGround(payload, options, isAdmin)
  const { database, log, sites, settings, restoreLinks } = ground
  const shipping = buildShipping(ground)
  const marketing = buildMarketing(ground, { shipping, isAdmin })
  const shop = buildCarts(ground)
  const sessions = createSessions({ secret: payload.config.secret })
  const visitorOf = createVisitors(payload, options.marketing)
  const { outbox, delivery, deliveryStatus } = marketing
  const handle = createFrontDoor({
    actions: buildActions(ground, {
      ...marketing,
      shop,
      shipping: shipping.action,
      health: buildHealth(ground, { ...shipping, ...marketing }),
    }),
    log,
    problemPage: createProblemPages(ground),
    sessions,
    visitorOf,
    trustProxy: options.trustProxy,
  })
  const overview = createOverview({
    payload,
    sends: sendTable(database),
    shipStation: shipping.shipStation,
    shippingSettings: settings.shipping,
    marketingSettings: settings.marketing,
    deliveryStatus,
    shop: shipping.shop,
    recheck: () => shipping.recheck({ failuresOnly: false }),
    missingProductFields: missingProductFields(payload, options, options.orders),
    wake: () => delivery.wake(),
    now: ground.now,
  })
  return {
    handle,
    outbox,
    consentProofs: createConsentProofs({
      database,
      names: options,
      customersSlug: ground.customersSlug,
    }),
    events: marketing.events,
    feeds: marketing.feeds,
    histories: marketing.histories,
    erasures: marketing.erasures,
    platform: marketing.platform,
    alerts: marketing.alerts,
    knownLists: marketing.knownLists,
    delivery,
    deliveryStatus,
    settings,
    overview,
    previewOrder: shipping.previewOrder,
    previewWindow: shipping.previewWindow,
    sites,
    restoreLinks,
    abandonedCartUrl: createAbandonedCartUrl({ payload, names: options, sites, restoreLinks }),
    carts: shop?.carts,
    sessions,
    visitorOf,
    onsite: buildOnsite(ground, { ...marketing, shop }),
  }
}

function buildGround(payload: BasePayload, options: ResolvedOptions, isAdmin: IsAdmin) {
  const now = () => new Date()
  const log = payload.logger
  const { secret } = payload.config
  const { signedLinks, linkDays } = options.restore
  const database = sqlDatabase(payload)
  const counts = createSharedCounts(database, { secret, now })
  const orderFields = payload.collections[options.collections.orders]?.config.fields ?? []
  const customersSlug = customersSlugOf({ fields: orderFields }, options)
  const shipping = createShippingSettings(payload, options.shipping.settings, {
    environment: process.env,
    now,
  })
  const marketing = createMarketingSettings(payload, options.marketing.settings, {
    environment: process.env,
    now,
  })
  const alerts = createAlertSettings(payload, options.alerts.settings, {
    environment: process.env,
    now,
  })
  return {
    payload,
    options,
    database,
    log,
    settings: {
      shipping: (req?: PayloadRequest) => shipping.get(req),
      forgetShipping: () => shipping.forget(),
      marketing: (req?: PayloadRequest) => marketing.get(req),
      forgetMarketing: () => marketing.forget(),
      alerts: () => alerts.get(),
      forgetAlerts: () => alerts.forget(),
    },
    sites: createSites(payload, options, now),
    texts: createPageTexts(payload),
    reader: createOrderReader({
      payload,
      database,
      names: options,
      options: options.orders,
      customersSlug,
    }),
    restoreLinks: createRestoreLinks({ secret, signed: signedLinks, linkDays, now }),
    counts,
    postThrottle: createPostThrottle({ counts, log }),
    customersSlug,
    isAdminAccount: createIsAdminAccount(payload, isAdmin),
    orderFields,
    now,
  }
}

/** Delivers, and watches: the watchman goes round where the deliverer runs. */
function buildMarketing(
  ground: Ground,
  { shipping, isAdmin }: { shipping: ReturnType<typeof buildShipping>; isAdmin: IsAdmin },
) {
  const { payload, options, database, log, sites, reader, restoreLinks } = ground
  const { customersSlug, isAdminAccount, now } = ground
  const { marketing: settings, shipping: shippingSettings } = ground.settings
  const clock = { now }
  const waits = neverSetBack(clock)
  const wake = () => delivery.wake()
  const outbox = createOutbox(database, wake)
  const klaviyo = createKlaviyo({ apiUrl: options.marketing.apiUrl, fetch, now })
  const platform = withTestsNoted(klaviyo, payload, now)
  const {
    feeds,
    events,
    details,
    orders,
    carts: shopCarts,
    contextOf,
  } = createShopFeed({
    payload,
    database,
    names: options,
    reader,
    accounts: options.marketing,
    hooks: options.marketing,
    productUrl: options.productUrl,
    settings,
    shippingSettings,
    sites,
    restoreUrl: (baseUrl, cart) => restoreLinks.url(baseUrl, cart),
    customersSlug,
    isAdminAccount,
    outbox,
    wakeDelivery: wake,
    now,
    waits,
  })
  const { histories, worker } = createHistory({
    database,
    ordersSlug: options.collections.orders,
    timezone: options.timezone,
    orders,
    contextOf,
    outbox,
    log,
    now,
    waits,
  })
  const erasures = createErasures({
    payload,
    database,
    names: options,
    customersSlug,
    options: options.erasure,
    isAdmin,
    outbox,
    personKeysOf: events.personKeysOf,
    settings,
    shippingSettings,
    wake() {
      erasing.wake()
      wake()
    },
    now,
  })
  const erasing = createErasureWorker({ database, erasures, outbox, log, now, waits })
  const pruning = createPruning({ store: createDeliveryStore(database), clock, waits, settings })
  const customers = createCustomerConsents(database, { customersSlug, emailIsUnchanged })
  const accountConsents = customers && { accountConsents: customers.find }
  const deliverer = createDeliverer({
    database,
    platform,
    settings,
    log,
    clock,
    waits,
    ...accountConsents,
  })
  const consentPoll = createConsentPoll({
    payload,
    platform,
    deliverer,
    settings,
    customers,
    hooks: options.marketing,
    clock,
    waits,
    log,
  })
  const alerts = createAlerts({
    payload,
    sends: sendTable(database),
    settings: ground.settings.alerts,
    shippingSettings,
    marketingSettings: settings,
    names: options,
    timezone: options.timezone,
    deliverer,
    lastPull: () => shipping.shipStation.lastPull(),
    lastDelivery: () => readLastSentAt(sendTable(database)),
    shippingThrottle: shipping.throttle,
    recheck: () => shipping.recheck({ failuresOnly: true }),
    clock,
    log,
  })
  const delivery = createDeliveryLoop({
    deliverer,
    // A task runs them in turn until its deadline, and the watchman must not wait for much work.
    workers: [alerts.watchman, pruning, ...feeds, worker, consentPoll, erasing],
    feeds,
    notifications: createNotifications(payload, database, log),
    clock,
    waits,
    log,
    catchUp: (deadline) => catchUpFeeds(feeds, { deadline, log }),
    flush: () => ground.postThrottle.flush(),
  })
  return {
    outbox,
    events,
    feeds,
    details,
    shopCarts,
    contextOf,
    histories,
    erasures,
    platform,
    knownLists: createKnownLists({ platform, settings, store: payload, now, log }),
    delivery,
    deliveryStatus: () => deliverer.status(),
    alerts,
  }
}

function buildHealth(
  { options, database, log, counts, settings, now }: Ground,
  {
    alerts,
    shipStation,
  }: Pick<ReturnType<typeof buildMarketing>, 'alerts'> &
    Pick<ReturnType<typeof buildShipping>, 'shipStation'>,
): Action {
  return createHealth({
    settings: settings.alerts,
    state: () => alerts.state(),
    lastPullAt: async () => (await shipStation.lastPull())?.at,
    lastDeliveryAt: () => readLastSentAt(sendTable(database)),
    staleAfterMs: staleAfterMs[options.marketing.delivery],
    throttle: createLoginThrottle('health', { counts, log }),
    now,
  })
}

/** Undefined in a store without carts. */
function buildCarts({ payload, options: names, database, sites, customersSlug }: Ground) {
  if (!payload.collections[names.collections.carts]) return undefined
  const schema = cartSchemaOf(payload, names)
  const carts = createCarts({ payload, database, names, schema, sites, customersSlug })
  const abandonedCarts = createAbandonedCarts({
    payload,
    database,
    names,
    carts,
    schema,
    sites,
    customersSlug,
  })
  return { schema, carts, abandonedCarts }
}

function buildActions(
  ground: Ground,
  { outbox, shop, details, shipping, health, ...events }: ActionParts,
): Record<string, Action> {
  const { payload, options, log, settings, sites, customersSlug, isAdminAccount } = ground
  const { postThrottle, now } = ground
  const { secret, serverURL, csrf: origins, routes } = payload.config
  const form: FormParts = {
    csrf: createCsrfTokens({ secret }),
    redirects: createSignedRedirects({ secret }),
    isOwnOrigin: createOwnOrigins([serverURL, ...origins]),
    apiRoute: routes.api,
  }
  const forwardable = shopActions(ground, form, shop)
  const answered = {
    'users/session-info': createSessionInfo({
      csrf: form.csrf,
      redirects: form.redirects,
      shop: shop && { carts: shop.carts, sites },
      isAdminAccount,
      now,
    }),
  }
  const taken = [...Object.keys({ ...forwardable, ...answered }), healthPath]
  const own = createStoreActions({ actions: options.actions, taken, forms: form })
  const marketing = {
    form,
    forwards: createForwards({ actions: { ...forwardable, ...own } }),
    hooks: options.marketing,
    profileOf: createAccountProfiles(payload, options.marketing),
    throttle: postThrottle,
    settings: settings.marketing,
    outbox,
    log,
    now,
  }
  const orders = payload.collections[options.collections.orders]
  return {
    ...forwardable,
    ...answered,
    ...own,
    ...(shop && { [restorePath]: restoreAction(ground, form, shop) }),
    ...(shop && { 'marketingconnect/catalog/products': productFeedAction(ground, shop) }),
    ...onsiteActions(ground, form, { shop, ...events }),
    'marketingconnect/api/identify': createIdentifyAction(marketing),
    'marketingconnect/api/track': createTrackAction({
      ...marketing,
      timezone: options.timezone,
      findOrderDetails: createFindOrderDetails({
        details,
        carts: shop?.carts,
        sites,
        customersSlug,
      }),
      own: { urls: [serverURL, ...origins], sites },
      hasOwnNumbers: hasOwnNumbers(orders, options, options.orders),
    }),
    'shippingconnect/orders/process': shipping,
    [healthPath]: health,
  }
}

/** The actions that Klaviyo's script on the pages needs. */
function onsiteActions(
  { settings: { marketing: settings }, sites, postThrottle: throttle }: Ground,
  form: FormParts,
  { shop, shopCarts, contextOf }: Pick<ActionParts, 'shop' | 'shopCarts' | 'contextOf'>,
): Record<string, Action> {
  const carts = shop?.carts
  return {
    'marketingconnect/onsite/visitor': createOnsiteVisitor({
      form,
      settings,
      throttle,
      shop: carts && { carts, sites },
    }),
    ...(carts &&
      shopCarts && {
        'marketingconnect/onsite/added-to-cart': createAddedToCart({
          settings,
          carts,
          shopCarts,
          sites,
          contextOf,
        }),
      }),
  }
}

/** What pages with Klaviyo's script ask for. */
function buildOnsite(
  { payload, options, settings }: Ground,
  { shop, contextOf }: Pick<ActionParts, 'shop' | 'contextOf'>,
): Installed['onsite'] {
  const products = shop && createFeedProducts(payload, options, shop.schema)
  const viewedProduct = products && createViewedProducts({ products, contextOf })
  return {
    async script() {
      const { publicApiKey: companyId } = await settings.marketing()
      return companyId === '' ? undefined : { companyId, url: options.marketing.scriptUrl }
    },
    viewedProduct: (page) => viewedProduct?.(page) ?? Promise.resolve(undefined),
  }
}

/** The actions of accounts and carts, where the store has them. Posts can be forwarded to these. */
function shopActions(
  { payload, options, database, log, sites, texts, counts, customersSlug, now }: Ground,
  form: FormParts,
  shop: ShopCarts | undefined,
): Record<string, Action> {
  const actions: Record<string, Action> = {}
  const carts = shop?.carts
  if (shop !== undefined) {
    const purchasables = createPurchasables(payload, shop.schema)
    const { carts: cartsSlug } = options.collections
    const consents = {
      offers: createConsentOffers({ secret: payload.config.secret }),
      note: (cartId: DocumentId, answer: { consent: CheckoutConsent; giver: ConsentGiver }) =>
        noteCheckoutConsent(database, { carts: cartsSlug, cartId }, answer),
    }
    const updateCart = createUpdateCart({
      carts: shop.carts,
      purchasables,
      sites,
      texts,
      consents,
      customersSlug,
      now,
    })
    actions['commerce/cart/update-cart'] = formAction(form, updateCart)
  }
  if (customersSlug !== undefined && payload.collections[customersSlug]?.config.auth) {
    const users = createUsers(payload, customersSlug)
    const throttle = createLoginThrottle('customers', { counts, log })
    actions['users/login'] = formAction(form, createLogin({ users, carts, sites, throttle, texts }))
    actions['users/logout'] = formAction(form, createLogout({ users, sites, texts }))
  }
  return actions
}

function restoreAction(
  { options, log, sites, texts, restoreLinks, now }: Ground,
  { csrf, redirects }: FormParts,
  { carts, abandonedCarts }: ShopCarts,
): Action {
  return createRestore({
    abandonedCarts,
    carts,
    sites,
    links: restoreLinks,
    texts,
    csrf,
    redirects,
    options: options.restore,
    loginPath: options.loginPath,
    log,
    now,
  })
}

function productFeedAction(
  { payload, options, log, sites, now }: Ground,
  { schema }: ShopCarts,
): Action {
  return createProductFeed({
    products: createFeedProducts(payload, options, schema),
    sites,
    serverUrl: payload.config.serverURL,
    productUrl: options.productUrl,
    log,
    now,
  })
}

function buildShipping(ground: Ground) {
  const { payload, options, database, log, counts, reader, orderFields, now } = ground
  const settings = ground.settings.shipping
  const { beforeExport } = options.shipping
  const { timezone, collections } = options
  const hasStoreField = (field: string) => isStoreField(orderFields, field)
  const skippedOrders = createSkippedOrders(database, options)
  const shipStation = createShipStationRequests(payload, log)
  const shipments = createShipmentLog(payload, database, options)
  const ordersSlug = collections.orders
  const baseUrl = payload.config.serverURL
  const throttle = createLoginThrottle('shipping', { counts, log })
  return {
    shipStation,
    throttle,
    recheck: createRecheck({ reader, skippedOrders, beforeExport, log }),
    shop: { shipments, hasStoreField },
    action: createShippingAction({
      settings,
      throttle,
      exportOrders: createOrderExport({
        list: createOrderList(database, { collections, log }, now),
        reader,
        skippedOrders,
        shipStation,
        baseUrl,
        beforeExport,
        hasStoreField,
        timezone,
        log,
        now,
      }),
      recordShipment: createShipmentNotice({ shipments, log }),
      shipStation,
      now,
    }),
    previewOrder: createOrderPreview({
      database,
      ordersSlug,
      reader,
      beforeExport,
      shipments,
      baseUrl,
      log,
    }),
    previewWindow: createWindowPreview({
      database,
      ordersSlug,
      reader,
      beforeExport,
      settings,
      hasStoreField,
      timezone,
      log,
      now,
    }),
  }
}
