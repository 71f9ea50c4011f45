import { homeUrl } from '../../shop/sites/home-url.js'
import type { NewSend } from '../delivery/send.js'
import type { AccountShopOptions } from '../accounts/account-profile.js'
import type { DeliveryParts } from '../delivery/parts.js'
import { isRobot } from './form-guard.js'
import { requirePostCapacity, type PostThrottle } from './post-throttle.js'
import type { MessageHooks } from '../klaviyo/klaviyo-options.js'
import type { HookedMessage, Message } from '../klaviyo/message.js'
import { createLeftOutLog, type LeaveOut } from '../klaviyo/left-out.js'
import { profileKey } from '../../core/people/profile-key.js'
import type { Profile } from '../klaviyo/profile.js'
import type { Visitor, FormVisit, Action } from '../../core/http/visit.js'
import type { MarketingSettings } from '../settings/marketing-settings.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { HttpParts } from '../../core/http/parts.js'
import type { Shop } from '../../core/shop.js'
import type { Effects } from '../../core/effects.js'
import { formAction, formReply, type Forwards } from '../../core/http/form-action.js'
import { anotherKey } from '../klaviyo/send-key.js'
import { throughHooks } from '../klaviyo/through-hooks.js'
import { readConsentList, readLists } from './list-parameters.js'
import { profileOfPost } from './profile-parameters.js'
import { ownChannels, sendsOfPost, type ReadPost } from './sends-of-post.js'
import { readBackInStock } from './back-in-stock.js'
import type { CatalogParts } from '../catalog/parts.js'
import type { CartParts } from '../../carts/parts.js'
import type { FeedsParts } from '../feeds/parts.js'
import type { EventRules, PostedEvent, PostedOrder, readEvent } from './event-parameters.js'
import { originsOf, publicUrl } from '../../core/http/public-origin.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import { cartHolder } from '../../carts/find-cart.js'

interface FormsShop
  extends
    Shop<{ marketing: MessageHooks & AccountShopOptions['marketing'] }>,
    HttpParts,
    MarketingSettingsParts,
    DeliveryParts {
  forwards: Forwards
  postThrottle: PostThrottle
  /** Reads what may be sent about a visitor's account. */
  profileOf: (visitor: Visitor) => Promise<Profile>
}

interface MarketingPost {
  form: FormVisit
  settings: MarketingSettings
  now: Date
  leaveOut: LeaveOut
}

/** Answers after the sends of a post are stored. It never calls Klaviyo. */
function marketingAction(
  action: 'identify' | 'track',
  shop: FormsShop,
  readSends: (post: MarketingPost) => Promise<NewSend[]>,
): Action {
  return formAction(shop.forms, async (form) => {
    const forward = shop.forwards.find(form.tree)
    const settings = await shop.marketingSettings.get()
    requirePostCapacity(form, settings, shop.postThrottle)

    const now = shop.effects.now()
    const about = { requestId: form.requestId, action }
    if (isRobot(form.token, form.tree, now)) {
      // A robot gets the usual answer, so that it learns nothing.
      shop.log.info(about, 'Post of a robot ignored')
    } else {
      const { leaveOut, write } = createLeftOutLog(shop.log)
      const read = await readSends({ form, settings, now, leaveOut })
      const sends = await hookedSends(read, { shop, about })
      write(about, 'Posted values left out')
      if (sends.length > 0) await shop.outbox.store(sends)
      else shop.log.info(about, 'Post has nothing to send to Klaviyo')
    }
    return forward === undefined ? formReply(form, { ajax: 'success' }) : forward(form.visit)
  })
}

/** `POST …/api/identify`: creates or updates a profile. */
export const createIdentifyAction = (shop: FormsShop): Action =>
  marketingAction('identify', shop, async ({ form, settings, now, leaveOut }) =>
    sendsOfPost(
      {
        ...(await profileOfPost(form, shop, leaveOut)),
        event: undefined,
        order: undefined,
        lists: readConsentList(form.tree, settings),
      },
      { ...settings, now, leaveOut, effects: shop.effects },
    ),
  )

/**
 * When a hook keeps back a person, all messages about that person are left out, lists too. The keys do not change, so
 * that the same post again is a repeat.
 */
async function hookedSends(
  sends: readonly NewSend[],
  { shop, about }: { shop: FormsShop; about: Readonly<Record<string, unknown>> },
): Promise<NewSend[]> {
  const { options, log, effects } = shop
  const keptBack = new Set<string>()
  const hooked = await Promise.all(
    sends.map(async (send) => {
      const { message: posted } = send
      const person = profileKey(posted.profile)
      if (!isHooked(posted)) return { person, send }
      const onPersonKeptBack = () => void keptBack.add(person)
      const hooks = options.marketing
      const message = await throughHooks(posted, { hooks, log, about, onPersonKeptBack })
      return { person, send: message && withKeyAfterOthers(send, message, effects) }
    }),
  )
  return hooked.flatMap(({ person, send }) => {
    // No hook keeps anybody from leaving.
    const isKept = send?.message.kind === 'unsubscribe' || !keptBack.has(person)
    return send && isKept ? [send] : []
  })
}

const isHooked = (message: Message): message is HookedMessage =>
  message.kind === 'identify' || message.kind === 'event'

/**
 * A post that repeats an older one is stored with another key when its profile had another send since. An
 * event without an id of its own has its key as id.
 */
function withKeyAfterOthers(
  send: NewSend,
  message: HookedMessage,
  effects: Pick<Effects, 'uuid'>,
): NewSend {
  const key = anotherKey(send.key, effects)
  const hasOwnId = message.kind !== 'event' || message.event.uniqueId !== send.key
  const other = hasOwnId ? message : { ...message, event: { ...message.event, uniqueId: key } }
  return { ...send, message, afterOthers: { key, message: other } }
}

type TrackShop = FormsShop &
  CatalogParts &
  SiteParts &
  CartParts &
  FeedsParts &
  Pick<EventRules, 'hasOwnNumbers'>

/** `POST …/api/track`: like identify, then an event, list members, or a product that is sold out. */
export function createTrackAction(shop: TrackShop): Action {
  // To ask for the module again at each post takes long where a loader resolves names.
  let reader: { readEvent: typeof readEvent } | undefined
  return marketingAction('track', shop, async (post) => {
    const { form, settings, now, leaveOut } = post
    const { hasOwnNumbers, sites } = shop
    const { timezone } = shop.options
    const { csrf } = shop.payload.config
    const lists = readLists(form.tree, { ...settings, leaveOut })
    const ownOrigins = originsOf([homeUrl(shop.payload), ...csrf, ...(await sites.baseUrls())])
    const rules = { ...settings, now, timezone, hasOwnNumbers, ownOrigins, leaveOut }
    reader ??= await import('./event-parameters.js')
    const posted = reader.readEvent(form.tree, rules)
    const event = await completeEvent(posted, form, shop)
    const people = await profileOfPost(form, shop, leaveOut)
    const asked = await readBackInStock(form.tree, ownChannels(people), shop)
    const basis = posted?.order === undefined ? 'explicit' : 'implied'
    return sendsOfPost(
      { ...people, ...event, lists, asked, basis },
      { ...rules, effects: shop.effects },
    )
  })
}

/** When the details of the order are missing, the event is not tracked. */
async function completeEvent(
  event: PostedEvent | undefined,
  form: FormVisit,
  shop: TrackShop,
): Promise<Pick<ReadPost, 'event' | 'order'>> {
  if (event?.order === undefined) return { event, order: undefined }
  const { number, id, askedBy, isReadable } = event.order
  const order = isReadable ? await findOrderDetails({ form, number, id }, shop) : undefined
  if (typeof order === 'object') return { event, order }
  // The number is not logged, as anyone who has it can open the order's cart.
  const about = { requestId: form.requestId, askedBy }
  if (order === 'kept back') shop.log.info(about, 'Order kept back: event not tracked')
  else shop.log.error(about, 'Order not found: event not tracked')
  return { event: undefined, order: undefined }
}

/**
 * `docs/interface.md` (Order event). Anyone who has a number may use it, as nobody can guess it, and it wins over an id.
 * An id counts only for the visitor's own orders and current cart; when both have it, it means the cart.
 */
async function findOrderDetails(
  { form, number, id }: { form: FormVisit } & Pick<PostedOrder, 'number' | 'id'>,
  shop: TrackShop,
) {
  const { details, customersSlug } = shop
  if (number !== undefined) {
    // A cart keeps its number when it becomes an order.
    return (await details.ofOrder({ number })) ?? details.ofCart({ number })
  }
  const current = await currentCart(form, shop)
  if (current !== undefined && (id === undefined || id === String(current.id))) {
    return details.ofCart({ id: current.id })
  }
  const visitor = await form.visitor()
  const isCustomer = visitor !== undefined && visitor.collection === customersSlug
  if (id === undefined || !isCustomer) return undefined
  return details.ofOrder({ id, customerId: visitor.id })
}

async function currentCart(form: FormVisit, { carts, sites }: TrackShop) {
  const visitor = await form.visitor()
  const site = await sites.at(publicUrl(form.request))
  return carts?.find(cartHolder(form.session.data, { visitor, site }))
}
