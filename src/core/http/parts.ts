import { createSharedCounts } from '../database/shared-counts.js'
import type { OptionsOf } from '../options-schema.js'
import type { Shop } from '../shop.js'
import { createCsrfTokens } from './csrf.js'
import { defineAction, type StoreAction, type StoreActionContext } from './define-action.js'
import { formAction, formReply, type FormChecks } from './form-action.js'
import { createSignedRedirects, redirectTarget } from './redirect-target.js'
import { jsonReply, seeOther } from './reply.js'
import type { ActionRequest } from './request-body.js'
import { addNotice } from './session.js'
import type { Action, FormVisit } from './visit.js'
import { createOwnOrigins } from './public-origin.js'
import type { httpOptions } from './http-options.js'
import { createSessions } from './sessions.js'
import { defineParts } from '../feature.js'

type HttpShop = Shop<OptionsOf<typeof httpOptions>>

export type HttpParts = ReturnType<typeof build>

function build({ payload, database, effects }: Shop) {
  const { secret, serverURL, csrf: origins, routes } = payload.config
  const forms: FormChecks = {
    csrf: createCsrfTokens({ secret, effects }),
    redirects: createSignedRedirects({ secret }),
    isOwnOrigin: createOwnOrigins([serverURL, ...origins]),
    apiRoute: routes.api,
  }
  return {
    forms,
    sessions: createSessions({ secret, effects }),
    /** Requests of all processes, for the throttles. */
    counts: createSharedCounts(database, { secret, now: effects.now }),
  }
}

export const httpParts = defineParts({
  build,
  forwardable: ({ options: { actions } }: HttpShop, { forms }: HttpParts) =>
    createStoreActions({ actions, forms }),
})

/**
 * Builds the store's own actions, by their paths. Each one runs after the checks of a form action.
 *
 * @throws {TypeError} when a path is malformed, or two actions have it.
 */
function createStoreActions({
  actions,
  forms,
}: {
  actions: readonly StoreAction[]
  forms: FormChecks
}): Record<string, Action> {
  const paths = new Set<string>()
  const entries = actions.map((action) => {
    // Checked again, as an action may have been made without `defineAction`.
    const { path, handler } = defineAction(action.path, action.handler)
    if (paths.has(path)) throw new TypeError(`storeConnect(): there are two actions "${path}".`)
    paths.add(path)
    return [path, formAction(forms, async (form) => handler(contextOf(form)))] as const
  })
  return Object.fromEntries(entries)
}

const contextOf = (form: FormVisit): StoreActionContext => ({
  get request() {
    return webRequest(form.request)
  },
  parameters: form.tree,
  user: () => form.visitor(),
  session: form.session,
  notice: (text, kind) => addNotice(form.session, text, kind),
  json: jsonReply,
  redirect: (target) =>
    seeOther(target === undefined ? (form.redirect ?? form.back()) : redirectTarget(target)),
  reply: (value) => formReply(form, { ajax: value }),
})

const webRequest = (request: ActionRequest): Request =>
  request instanceof Request
    ? request
    : new Request(request.url, { method: request.method, headers: request.headers })
