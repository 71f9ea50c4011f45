import type { BasePayload } from 'payload'
import type { BuiltParts, BuildParts } from './build-parts.js'
import type { Feature } from '../core/feature.js'
import type { Parts } from '../core/installation.js'
import type { Products } from '../core/shop.js'

/** What runs is loaded when first needed, and works only if Payload has started: a command must not deliver. */
export function createInstances(
  { features, products }: { features: readonly Feature[]; products: Products },
  openShop: (payload: BasePayload) => Parameters<BuildParts>[0],
) {
  const instances = new WeakMap<BasePayload, BuiltParts>()
  /** Those that have started, and whose parts nobody has needed yet. */
  const waiting = new WeakSet<BasePayload>()
  let build: BuildParts | undefined

  async function load(): Promise<BuildParts> {
    build ??= await (await import('./build-parts.js')).loadParts(features, products)
    return build
  }

  function builtBy(buildParts: BuildParts, payload: BasePayload): BuiltParts {
    const built = instances.get(payload) ?? buildParts(openShop(payload))
    instances.set(payload, built)
    return built
  }

  return {
    async partsFor(payload: BasePayload): Promise<Parts> {
      const { parts, start } = builtBy(await load(), payload)
      if (waiting.delete(payload)) await start()
      return parts
    },
    builtPartsFor: (payload: BasePayload): Parts | undefined => instances.get(payload)?.parts,
    loadedPartsFor: (payload: BasePayload): Parts | undefined =>
      build && builtBy(build, payload).parts,
    /** @param isNeededNow Whether work begins although nobody has asked for the parts. */
    async start(payload: BasePayload, isNeededNow: boolean): Promise<void> {
      if (isNeededNow || instances.has(payload)) await builtBy(await load(), payload).start()
      else waiting.add(payload)
    },
  }
}

interface Work {
  begin: () => Promise<void>
  end: () => Promise<void>
}

/**
 * The development server changes the config without a start: the work ends before it, and begins again with the
 * changes.
 */
export function followReloads({ db }: Pick<BasePayload, 'db'>, { begin, end }: Work): void {
  const { connect, destroy } = db
  db.destroy = async () => {
    await end()
    await destroy?.call(db)
  }
  db.connect = async (args) => {
    await connect?.call(db, args)
    if (args?.hotReload === true) await begin()
  }
}
