import { lazy } from '../core/database/cached-value.js'
import type { Actions, Contributions, Feature, FeatureParts } from '../core/feature.js'
import type { Parts } from '../core/installation.js'
import { createFrontDoor } from '../core/http/front-door.js'
import type { httpOptions } from '../core/http/http-options.js'
import type { OptionsOf } from '../core/options-schema.js'
import type { Shop, Products } from '../core/shop.js'

/** The parts of a Payload instance, and what begins their work. */
export interface BuiltParts {
  parts: Parts
  start: () => Promise<void>
}

export type BuildParts = (shop: Shop<OptionsOf<typeof httpOptions>>) => BuiltParts

/** Loads what runs of these features. Resolves to the function that builds the parts of a Payload instance. */
export async function loadParts(
  features: readonly Feature[],
  products: Products,
): Promise<BuildParts> {
  const all = await Promise.all(features.flatMap(({ parts }) => parts?.(products) ?? []))
  return (shop) => buildParts(shop, all)
}

function buildParts(shop: Parameters<BuildParts>[0], all: readonly FeatureParts[]): BuiltParts {
  const parts = {} as Parts
  const merged = (of: 'actions' | 'forwardable') =>
    lazy(() => withoutRepeats(all.map((one) => one[of]?.(shop, parts) ?? {})))
  const forwardable = merged('forwardable')
  const own = merged('actions')
  const contributions: Contributions = {
    forwardable,
    actions: lazy(() => withoutRepeats([forwardable(), own()])),
    workers: lazy(() => all.flatMap((one) => one.workers?.(shop, parts) ?? [])),
    openSession: lazy(() => all.flatMap((one) => one.openSession?.(shop, parts) ?? [])[0]),
    cartPosts: lazy(() => all.flatMap((one) => one.readCartPost?.(shop, parts) ?? [])),
    acceptCode: lazy(() => all.flatMap((one) => one.acceptCode?.(shop, parts) ?? [])[0]),
    matters: lazy(() => all.flatMap((one) => one.matters?.(shop, parts) ?? [])),
    forgetPerson: lazy(() => all.flatMap((one) => one.forgetPerson?.(shop, parts) ?? [])),
    async flush() {
      for (const one of all) await one.flush?.(shop, parts)
    },
  }
  for (const one of all) Object.assign(parts, one.build?.(shop, parts, contributions))
  const { problemPage, sessions, visitorOf } = parts
  const answer = createFrontDoor({
    actions: contributions.actions(),
    log: shop.log,
    effects: shop.effects,
    problemPage,
    colors: shop.options.pageColors,
    sessions,
    visitorOf,
    trustProxy: shop.options.trustProxy,
  })
  parts.handle = async (...given) => {
    const reply = await answer(...given)
    for (const one of all) one.answered?.(shop, parts)
    return reply
  }
  return {
    parts,
    async start() {
      for (const one of all) await one.start?.(shop, parts)
    },
  }
}

/** @throws {TypeError} when two actions have the same path. */
function withoutRepeats(given: readonly Actions[]): Actions {
  const paths = given.flatMap((actions) => Object.keys(actions))
  const repeated = paths.find((path, index) => paths.indexOf(path) !== index)
  if (repeated !== undefined) {
    throw new TypeError(`storeConnect(): there are two actions "${repeated}".`)
  }
  return Object.assign({}, ...given) as Actions
}
