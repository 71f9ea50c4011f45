import type {
  BasePayload,
  CollectionConfig,
  Config,
  Endpoint,
  GlobalConfig,
  PayloadRequest,
} from 'payload'
import type * as z from 'zod/mini'
import type { Effects } from './effects.js'
import type { Action, FormVisit, Visitor } from './http/visit.js'
import type { Connection, Statement } from './database/database.js'
import type { DocumentId } from './database/document-id.js'
import type { FeatureMatters, MatterRow } from './matter.js'
import type { EndpointAccess } from './payload/admin-endpoint.js'
import type { SettingsAccess } from './payload/settings-table.js'
import type { Shop, ShopOptions, Products } from './shop.js'
import type { OpenSession } from './workers/deliverer.js'
import type { Worker } from './workers/worker.js'

/** What a feature is given when it extends the config. */
export interface StoreConfig<Options = object, Parts = object>
  extends EndpointAccess, SettingsAccess {
  /** The config as the store and the plugins before this one have made it. */
  config: Config
  options: ShopOptions & Options
  /** The slug of the customers' collection; undefined when orders have no customer field. */
  customersSlug: string | undefined
  effects: Effects
  /** What a new order takes over from its cart, beside the fields that both have. */
  fromCart: (orders: CollectionConfig) => FromCart
  /**
   * Finds the parts, for hooks and endpoints: they learn their Payload instance only when they run.
   *
   * @throws {TypeError} while Storeconnect is switched off.
   * @throws {Problem} DATABASE_NOT_SUPPORTED, HOST_NOT_SUPPORTED.
   */
  partsOf: (payload: BasePayload) => Promise<Parts>
  /** The same; undefined where `partsOf` throws. */
  workingPartsOf: (payload: BasePayload) => Promise<Parts | undefined>
}

/** A new order, and the cart that it comes from, if any. */
export interface OrderOrigin {
  cart: unknown
  order: unknown
  req: PayloadRequest
}

/** Makes values of a new order, by the names of its fields. */
export type FromCart = (origin: OrderOrigin) => Promise<Record<string, unknown>>

/** Changes to collections, by their slugs. */
export type Extensions = Readonly<
  Record<string, (collection: CollectionConfig) => CollectionConfig>
>

/** Actions by their paths below `/actions/`. */
export type Actions = Readonly<Record<string, Action>>

/**
 * Reads what else a post that changes the cart says. Returns what notes it with the cart; undefined when it says
 * nothing.
 *
 * @throws {Problem} when it says something wrong.
 */
export type ReadCartPost = (
  form: FormVisit,
) => ((cart: { id: DocumentId; customer: Visitor | undefined }) => Promise<void>) | undefined

/**
 * Whether the code of a restore link may be written on the cart that the link has restored. Whoever asks may be a
 * stranger who guesses.
 */
export type AcceptCode = (
  code: string,
  by: { clientIp: string | undefined; /** The cart's number. */ cart: string },
) => Promise<boolean>

/** A person who is erased, as what keeps something of people needs to know. */
export interface ErasedPerson {
  emails: readonly string[]
  /** The person's orders. */
  orders: readonly DocumentId[]
  /** The proofs of consent that outlive their orders. */
  proofs: readonly DocumentId[]
  /** Whether the orders lose the person, too. */
  isAnonymised: boolean
}

/** Makes the statements that remove a person. They run together with all others, and may run again. */
export type ForgetPerson = (connection: Connection, person: ErasedPerson) => Statement[]

/** What all features contribute together. It is known when every feature is built. */
export interface Contributions {
  actions: () => Actions
  forwardable: () => Actions
  workers: () => readonly Worker[]
  openSession: () => OpenSession | undefined
  cartPosts: () => readonly ReadCartPost[]
  /** Undefined: links have no codes. */
  acceptCode: () => AcceptCode | undefined
  matters: () => readonly FeatureMatters[]
  forgetPerson: () => readonly ForgetPerson[]
  flush: () => Promise<void>
}

/**
 * What a feature contributes. It finds what those below it have built by their types, so it may ask for more
 * than `object`.
 */
export interface Feature<
  Options extends Readonly<Record<string, z.ZodMiniType>> = Readonly<Record<string, z.ZodMiniType>>,
  Built extends object = object,
> {
  /** The options that it takes, by their names. An object is a group that others may have options in, too. */
  options?: Options
  /** Collections of its own. They stay when Storeconnect is switched off, like globals and fields. */
  collections?(store: StoreConfig): CollectionConfig[]
  globals?(store: StoreConfig): GlobalConfig[]
  /** Fields that it adds to the shop's collections. */
  fields?(store: StoreConfig): Extensions
  /** Hooks and access that it adds to them. A hook does nothing on a database that is not supported. */
  hooks?(store: StoreConfig): Extensions
  /** What a new order takes over from its cart. */
  fromCart?(store: StoreConfig, orders: CollectionConfig): FromCart | undefined
  /** Endpoints of the admin, below Payload's API route. */
  endpoints?(store: StoreConfig): Endpoint[]
  /** The matters of it that alerts tell. Its parts read them. */
  matters?: Readonly<Record<string, MatterRow>>
  /** Anything else that it changes in the config. */
  config?(config: Config, store: StoreConfig): Config
  /** Loads what of it runs. A process does so when it needs that, so a cold start pays for the config only. */
  parts?: (products: Products) => Promise<FeatureParts<Built>>
  /** Whether what runs is needed as soon as Payload has started, and not only by a request. */
  isNeededAtStart?(store: StoreConfig, payload: BasePayload): boolean
}

/** What of a feature runs in a Payload instance. */
export interface FeatureParts<Built extends object = object> {
  /** Makes what there is once for each Payload instance. */
  build?(shop: Shop, parts: object, all: Contributions): Built
  actions?(shop: Shop, parts: object): Actions
  /** Actions that forms may name in `forward`, too. */
  forwardable?(shop: Shop, parts: object): Actions
  /** Work for the process that delivers. */
  workers?(shop: Shop, parts: object): Worker[]
  /** What that process does beside the workers. One feature may say so. */
  openSession?(shop: Shop, parts: object): OpenSession
  /** What else a post that changes the cart may say. */
  readCartPost?(shop: Shop, parts: object): ReadCartPost
  /** Which codes restore links may have. One feature may say so. */
  acceptCode?(shop: Shop, parts: object): AcceptCode | undefined
  /** What may be wrong or wait of it. */
  matters?(shop: Shop, parts: object): FeatureMatters
  /** How a person is removed from what only this feature keeps. */
  forgetPerson?(shop: Shop, parts: object): ForgetPerson
  /** Stores what is still in memory, before a process ends. */
  flush?(shop: Shop, parts: object): Promise<void>
  /** Runs when an action was answered. Nobody waits for it. */
  answered?(shop: Shop, parts: object): void
  /** Runs when Payload has started and the parts are built. */
  start?(shop: Shop, parts: object): Promise<void> | void
}

/** Declares a feature. Its type knows the options that it takes and the parts that it builds. */
export const defineFeature = <
  Options extends Readonly<Record<string, z.ZodMiniType>> = Record<never, never>,
  Built extends object = Record<never, never>,
>(
  feature: Feature<Options, Built>,
): Feature<Options, Built> => feature

/** Declares what of a feature runs. Its type knows the parts that it builds. */
export const defineParts = <Built extends object = Record<never, never>>(
  parts: FeatureParts<Built>,
): FeatureParts<Built> => parts
