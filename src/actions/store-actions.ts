import { addNotice } from '../http/flash-notice.js'
import { redirectTarget } from '../http/redirect-target.js'
import type { ActionRequest } from '../http/request-body.js'
import { jsonReply, seeOther } from '../http/reply.js'
import { defineAction, type StoreAction, type StoreActionContext } from '../options/store-action.js'
import { formAction, formReply, type FormParts } from './form-action.js'
import type { FormVisit } from './visit.js'
import type { Action } from './visit.js'

/**
 * The store's own actions by their paths, each behind the checks of every form.
 *
 * @throws {TypeError} when a path is malformed or taken.
 */
export function createStoreActions({
  actions,
  taken,
  forms,
}: {
  actions: readonly StoreAction[]
  /** Paths that have an action. */
  taken: readonly string[]
  forms: FormParts
}): Record<string, Action> {
  const paths = new Set(taken)
  const entries = actions.map((action) => {
    // Checked again, for an action that was put together without it.
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

/** Its body is read already: it is the parameters. */
const webRequest = (request: ActionRequest): Request =>
  request instanceof Request
    ? request
    : new Request(request.url, { method: request.method, headers: request.headers })
