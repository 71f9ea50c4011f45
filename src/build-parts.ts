import type { BasePayload } from 'payload'
import { createUpdateCart } from './actions/cart/update-cart-action.js'
import { formAction, type FormParts } from './actions/form-action.js'
import { createForwards } from './actions/forward.js'
import { createFrontDoor } from './actions/front-door.js'
import { createIdentifyAction } from './actions/marketing/identify-action.js'
import { createTrackAction } from './actions/marketing/track-action.js'
import { createOrderExport } from './actions/order-export/order-export-direction.js'
import { createSessionInfo } from './actions/session-info/session-info-action.js'
import { createShippingAction } from './actions/shipping/shipping-action.js'
import { createShipmentNotice } from './actions/shipment-notice/shipment-notice-direction.js'
import { createStoreActions } from './actions/store-actions.js'
import { createLogin } from './actions/users/login-action.js'
import { createLogout } from './actions/users/logout-action.js'
import type { Action } from './actions/visit.js'
import { createDeliveryLoop } from './delivery/delivery-loop.js'
import { createDrain } from './delivery/drain.js'
import { createCsrfTokens } from './http/csrf.js'
import { createFailedLogins } from './http/failed-logins.js'
import { createLoginThrottle } from './http/login-throttle.js'
import { createPostThrottle } from './http/post-throttle.js'
import { createOwnOrigins } from './http/same-site.js'
import { createSessions } from './http/session.js'
import { createSignedRedirects } from './http/signed-redirect.js'
import type { Installed } from './installation.js'
import { createKlaviyo } from './klaviyo/klaviyo.js'
import type { ResolvedOptions } from './options/resolve-options.js'
import type { Carts } from './store/carts.js'
import { cartSchemaOf } from './store/payload/cart-documents.js'
import { sqlDatabase, type Database } from './store/payload/database.js'
import { customersSlugOf } from './store/payload/extend-collections.js'
import { createOrderList } from './store/payload/fixed-order-list.js'
import { createMappedReader } from './store/payload/order-documents.js'
import { createOrderRows } from './store/payload/order-rows.js'
import { createShipmentLog } from './store/payload/order-shipments.js'
import { createCallLogStore } from './store/payload/outbox/call-log-store.js'
import { createOutbox } from './store/payload/outbox/outbox.js'
import { createCarts } from './store/payload/payload-carts.js'
import { createCatalogue } from './store/payload/payload-catalogue.js'
import { createSites } from './store/payload/payload-sites.js'
import { createUsers } from './store/payload/payload-users.js'
import { createOmissionRecord } from './store/payload/recorded-omissions.js'
import { createSettingsSource } from './store/payload/settings.js'
import { hasStoreField } from './store/payload/shipping-settings-global.js'
import { createVisitors } from './store/payload/visitors.js'
import type { SettingsSource } from './store/settings-source.js'
import type { Sites } from './store/sites.js'

/** What the parts of one Payload instance share. */
interface Ground {
  payload: BasePayload
  options: ResolvedOptions
  database: Database
  settings: SettingsSource
  sites: Sites
  /** Slug of the customers' collection; undefined in a store without accounts. */
  customersSlug: string | undefined
  now: () => Date
}

/** Builds the parts of a Payload instance and hands them over: the only place that does. */
export function buildParts(payload: BasePayload, options: ResolvedOptions): Installed {
  const now = () => new Date()
  const orders = payload.collections[options.collections.orders]?.config
  const ground: Ground = {
    payload,
    options,
    database: sqlDatabase(payload),
    settings: createSettingsSource(payload, options, { environment: process.env, now }),
    sites: createSites(payload, options, now),
    customersSlug: customersSlugOf({ fields: orders?.fields ?? [] }, options),
    now,
  }
  const marketing = buildMarketing(ground)
  const carts = buildCarts(ground)
  const visitorOf = createVisitors(payload, options.marketing)
  const handle = createFrontDoor({
    actions: buildActions(ground, { outbox: marketing.outbox, carts }),
    log: payload.logger,
    sessions: createSessions({ secret: payload.config.secret }),
    visitorOf,
    addressOf: options.addressOf,
  })
  const { settings, sites } = ground
  return { ...marketing, settings, sites, handle, carts, visitorOf }
}

function buildMarketing({ payload, options, database, settings, now }: Ground) {
  const stored = createOutbox(database)
  const platform = createKlaviyo({ apiUrl: options.marketing.apiUrl, fetch, now })
  const clock = { now }
  const log = payload.logger
  const callLogs = createCallLogStore(database)
  const drain = createDrain({ outbox: stored, callLogs, platform, settings, log, clock })
  const delivery = createDeliveryLoop({ drain, clock, log })
  const outbox: Installed['outbox'] = {
    ...stored,
    async store(sends) {
      await stored.store(sends)
      delivery.wake()
    },
  }
  return { outbox, platform, delivery, deliveryStatus: () => drain.status() }
}

function buildCarts({ payload, options, database, customersSlug, now }: Ground): Carts | undefined {
  if (!payload.collections[options.collections.carts]) return undefined
  const schema = cartSchemaOf(payload, options)
  return createCarts({ payload, database, options, schema, customersSlug, now })
}

function buildActions(
  ground: Ground,
  { outbox, carts }: Pick<Installed, 'outbox' | 'carts'>,
): Record<string, Action> {
  const { payload, options, settings, now } = ground
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
    throttle: createPostThrottle(),
    settings,
    outbox,
    log: payload.logger,
    now,
  }
  return {
    ...shop,
    ...own,
    [sessionInfoPath]: createSessionInfo({ csrf, now }),
    'marketingconnect/api/identify': createIdentifyAction(marketing),
    'marketingconnect/api/track': createTrackAction({ ...marketing, timezone: options.timezone }),
    'shippingconnect/orders/process': shippingAction(ground),
  }
}

const sessionInfoPath = 'users/session-info'

/** Accounts and carts, where the store has them. */
function shopActions(
  { payload, options, customersSlug }: Ground,
  form: FormParts,
  carts: Carts | undefined,
): Record<string, Action> {
  const actions: Record<string, Action> = {}
  if (carts !== undefined) {
    const catalogue = createCatalogue(payload, cartSchemaOf(payload, options))
    actions['commerce/cart/update-cart'] = formAction(form, createUpdateCart({ carts, catalogue }))
  }
  if (customersSlug !== undefined && payload.collections[customersSlug]?.config.auth) {
    const users = createUsers(payload, { customersSlug, ...options.marketing })
    const throttle = createLoginThrottle()
    actions['users/login'] = formAction(form, createLogin({ users, carts, throttle }))
    actions['users/logout'] = formAction(form, createLogout({ users }))
  }
  return actions
}

function shippingAction({
  payload,
  options,
  database,
  settings,
  customersSlug,
  now,
}: Ground): Action {
  const { mapOrder, beforeExport } = options.shipping
  const orderFields = payload.collections[options.collections.orders]?.config.fields ?? []
  const log = payload.logger
  const exportOrders = createOrderExport({
    list: createOrderList(database, options, now),
    reader: mapOrder
      ? createMappedReader(payload, options, mapOrder)
      : createOrderRows(database, options, customersSlug),
    omissions: createOmissionRecord(database),
    log,
    beforeExport,
    timezone: options.timezone,
    now,
    baseUrl: payload.config.serverURL,
    hasStoreField: (field) => hasStoreField(orderFields, field),
  })
  return createShippingAction({
    settings,
    failedLogins: createFailedLogins(),
    exportOrders,
    recordShipment: createShipmentNotice({
      shipments: createShipmentLog(payload, database, options),
      log,
    }),
  })
}
