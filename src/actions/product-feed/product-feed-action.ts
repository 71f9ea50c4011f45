import type { ProductUrl } from '../../commerce/product-url.js'
import { Problem } from '../../errors.js'
import { textParameter } from '../../http/parameters.js'
import { publicUrl } from '../../http/public-origin.js'
import type { ActionRequest } from '../../http/request-body.js'
import type { Log } from '../../store/log.js'
import type { FeedProduct, FeedProducts } from '../../store/product-feed.js'
import type { Sites } from '../../store/sites.js'
import type { Action, Visit } from '../visit.js'
import { createFeedCache, freshSeconds, type FeedCache, type KeptFeed } from './feed-cache.js'
import { feedItem, type FeedView } from './feed-item.js'
import { feedText } from './feed-text.js'
import { hasEtag } from './has-etag.js'

export interface ProductFeedParts {
  products: FeedProducts
  sites: Pick<Sites, 'at'>
  /** Where the store is when it has no sites; blank: nobody knows. */
  serverUrl: string
  productUrl: ProductUrl
  log: Log
  now: () => Date
  /** For a test that wants it smaller. */
  cache?: FeedCache
}

/** `GET marketingconnect/catalog/products`: all published products, for the platform's catalog. */
export function createProductFeed({ cache: givenCache, ...parts }: ProductFeedParts): Action {
  const { products, log, now } = parts
  const cache = givenCache ?? createFeedCache({ now })

  const read = (view: FeedView, requestId: string) =>
    feedText({
      pageAfter: (id) => products.pageAfter(id, view.site?.language ?? ''),
      describe: (product) => described(product, view, requestId),
      leftOut: (count) =>
        log.warn({ requestId, count }, 'Products without a title, page or picture are not fed'),
    })

  /** The store's own `productUrl` may fail at a product: it costs this one alone. */
  function described(product: FeedProduct, view: FeedView, requestId: string) {
    try {
      return feedItem(product, view)
    } catch (error) {
      log.error({ requestId, productId: product.id, err: error }, 'A product could not be fed')
      return undefined
    }
  }

  return async (visit) => {
    const { request, requestId } = visit
    const { method } = request
    if (method !== 'GET' && method !== 'HEAD') {
      throw new Problem('METHOD_NOT_ALLOWED', { headers: { allow: 'GET, HEAD' } })
    }
    const view = await viewOf(visit, parts)
    const key = JSON.stringify([view.baseUrl, view.site?.id, view.currency])
    // Nobody who asks for the headers alone waits for the products.
    const kept = cache.kept(key)
    if (method === 'HEAD' && kept === undefined) return reply(null)
    const feed = kept ?? (await cache.get(key, () => read(view, requestId)))
    if ('kept' in feed) return keptReply(feed, request)
    return reply(streamOf(feed.chunks, (error) => log.error({ requestId, err: error }, brokenOff)))
  }
}

const brokenOff = 'The product feed broke off'

/**
 * By the name that a request came to, anybody could have the whole feed read again and again, and
 * others be given links to nowhere: a store that says nowhere what it is called has no feed.
 *
 * @throws {Problem} SETTING_BLANK
 */
async function viewOf(
  visit: Visit,
  { products, sites, serverUrl, productUrl }: ProductFeedParts,
): Promise<FeedView> {
  const site = await sites.at(publicUrl(visit.request))
  const baseUrl = site?.baseUrl ?? serverUrl
  if (baseUrl === '') {
    throw new Problem('SETTING_BLANK', { log: { setting: 'serverURL, or a site' } })
  }
  const currency = readCurrency(
    textParameter((await visit.parameters()).tree, 'currency'),
    products.currencies,
  )
  return { site, baseUrl, currency, productUrl }
}

/** A store without prices has no currency, and its feed no prices. */
function readCurrency(asked: string | undefined, currencies: readonly string[]): string {
  if (asked === undefined) return currencies[0] ?? ''
  if (currencies.includes(asked)) return asked
  throw new Problem('PARAMETER_INVALID', {
    message: `The parameter "currency" must be one of: ${currencies.join(', ')}.`,
  })
}

const headers = {
  'content-type': 'application/json; charset=UTF-8',
  'cache-control': `public, max-age=${freshSeconds}`,
}

const reply = (body: BodyInit | null, more: Record<string, string> = {}): Response =>
  new Response(body, { headers: { ...headers, ...more } })

function keptReply({ kept, size, etag }: KeptFeed, request: ActionRequest): Response {
  if (hasEtag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, {
      status: 304,
      headers: { etag, 'cache-control': headers['cache-control'] },
    })
  }
  return reply(streamOf(kept.values()), {
    etag,
    'content-length': String(size),
  })
}

/** Reads on as far as the client does. A failure ends it as broken, not as a shorter feed. */
const streamOf = (
  chunks: Iterator<Uint8Array> | AsyncIterator<Uint8Array>,
  failed?: (error: unknown) => void,
) =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next()
          if (next.done === true) controller.close()
          else controller.enqueue(next.value)
        } catch (error) {
          failed?.(error)
          controller.error(error)
        }
      },
      async cancel() {
        await chunks.return?.()
      },
    },
    { highWaterMark: 0 },
  )
