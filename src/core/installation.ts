import type { BasePayload, SanitizedConfig } from 'payload'
import type { Products } from './shop.js'
import { refusalIn, type Refusal } from './database/refusal.js'
import { safeLog } from './database/log.js'
import { Problem } from './errors.js'
import { createRefusal, webHandle, type FrontDoor, type Handle } from './http/reply.js'

/** The parts of all features by their names. `src/plugin/features.ts` knows them, and adds them here. */
export interface Parts {
  handle: FrontDoor
}

/**
 * The entry in `config.custom` that leads from a Payload instance to its parts. A mount (`next/`,
 * `node/`) finds its parts there even if the store's bundler has made a second copy of this module.
 */
interface Installation {
  products: Products
  /** Loads what runs, and builds the parts, when they are asked for first. */
  partsFor(payload: BasePayload): Promise<Parts>
  /** Undefined while nobody has needed them. */
  builtPartsFor(payload: BasePayload): Parts | undefined
  /** Builds them at once; undefined while what runs is not loaded. */
  loadedPartsFor(payload: BasePayload): Parts | undefined
  /** Begins its work, such as the delivery: at once where the mode of the delivery asks for that. */
  start(payload: BasePayload): Promise<void>
}

export const pluginSlug = 'payload-storeconnect'

const key = 'storeconnect'

export const withInstallation = (
  custom: Record<string, unknown> | undefined,
  installation: Installation,
): Record<string, unknown> => ({ ...custom, [key]: installation })

type ConfigOf = Pick<BasePayload, 'config'>

const installationOf = ({ config }: ConfigOf): Installation | undefined =>
  (config.custom as Record<string, Installation | undefined>)[key]

/** Whether the store's config has `storeConnect({ enabled: false })` among its plugins. */
export const isSwitchedOff = (config: SanitizedConfig): boolean =>
  installationOf({ config }) === undefined &&
  (config.plugins ?? []).some(({ slug }) => slug === pluginSlug)

/** Whether Storeconnect works in this store with that product. */
export const hasProduct = (config: SanitizedConfig, product: keyof Products): boolean =>
  installationOf({ config })?.products[product] === true

/** Why Storeconnect does not work in this store; undefined when it does, and when it is not installed. */
export const refusalOf = (payload: BasePayload): Refusal | undefined =>
  installationOf(payload) && refusalIn(payload)

/** Begins the work of the config that Payload has now, if Storeconnect is in it and works in this store. */
export const startIn = async (payload: BasePayload): Promise<void> => {
  if (refusalOf(payload) === undefined) await installationOf(payload)?.start(payload)
}

/** The parts; undefined when `storeConnect()` is missing, switched off or refused. */
export const installedIn = async (payload: BasePayload): Promise<Parts | undefined> =>
  refusalOf(payload) === undefined ? installationOf(payload)?.partsFor(payload) : undefined

/** The same, but undefined also while nobody has needed them. */
export const builtPartsIn = (payload: BasePayload): Parts | undefined =>
  installationOf(payload)?.builtPartsFor(payload)

/** @internal The parts at once, for a test whose store is open. */
export const loadedPartsIn = (payload: BasePayload): Parts | undefined =>
  installationOf(payload)?.loadedPartsFor(payload)

/**
 * @throws {TypeError} when the store's config has no enabled `storeConnect()` among its plugins.
 * @throws {Problem} DATABASE_NOT_SUPPORTED, HOST_NOT_SUPPORTED.
 */
export const partsOf = (payload: BasePayload): Promise<Parts> =>
  requiredIn(payload).partsFor(payload)

/** The parts for a page; undefined when Storeconnect is switched off or refused. */
export const partsForPage = async (payload: BasePayload): Promise<Parts | undefined> =>
  isSwitchedOff(payload.config) || refusalOf(payload) !== undefined ? undefined : partsOf(payload)

function requiredIn(payload: BasePayload): Installation {
  const installation = installationOf(payload)
  if (installation === undefined) throw new TypeError(whyMissing(payload.config))
  return installation
}

/**
 * Returns the handler that answers a store's actions. Where Storeconnect is switched off
 * (`enabled: false`), every answer is a 404. On a database or a host that it does not support, every
 * answer is a 503 that says so.
 *
 * @throws {TypeError} when the store's config has no `storeConnect()` among its plugins.
 */
export const handlerOf = (payload: BasePayload): Handle => webHandle(frontDoorOf(payload))

/** @throws the same errors as `handlerOf`. */
export function frontDoorOf(payload: BasePayload): FrontDoor {
  if (isSwitchedOff(payload.config)) return createRefusal(new Problem('ACTION_NOT_FOUND'))
  const refusal = refusalOf(payload)
  if (refusal !== undefined) {
    return createRefusal(new Problem(refusal.code, { message: refusal.message }))
  }
  const installation = requiredIn(payload)
  return async (request, context) => {
    try {
      const { handle } = await installation.partsFor(payload)
      return await handle(request, context)
    } catch (error) {
      // An action answers each failure by itself, so the parts could not be built.
      safeLog(payload.logger).error({ err: error }, 'Storeconnect cannot begin its work')
      return createRefusal(new Problem('UNEXPECTED'))(request)
    }
  }
}

const whyMissing = (config: SanitizedConfig): string =>
  isSwitchedOff(config)
    ? 'Storeconnect is switched off in this store. Add storeConnect() to the plugins of its Payload config without `enabled: false`.'
    : "Add storeConnect() to the plugins of this store's Payload config."
