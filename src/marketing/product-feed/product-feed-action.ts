import { homeUrl } from '../../shop/sites/home-url.js'
import { Problem } from '../../core/errors.js'
import { textParameter } from '../../core/http/parameters.js'
import { publicUrl } from '../../core/http/public-origin.js'
import { requireMethod, type ActionRequest } from '../../core/http/request-body.js'
import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import type { siteOptions } from '../../shop/sites/site-options.js'
import type { Log } from '../../core/database/log.js'
import type { PublicProducts } from './public-products.js'
import type { Sites } from '../../shop/sites/sites.js'
import type { Action } from '../../core/http/visit.js'
import {
  createProductFeedCache,
  freshSeconds,
  type CachedProductFeed,
} from './product-feed-cache.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { productFeedItem, type ProductFeedView } from './product-feed-item.js'

/**
 * `GET marketingconnect/catalog/products`: all published products, for Klaviyo's catalog
 * (`docs/interface.md` (Product feed)).
 */
export function createProductFeed(
  { payload, options, log, effects }: Shop<OptionsOf<typeof siteOptions>>,
  products: PublicProducts,
  sites: Sites,
): Action {
  const cache = createProductFeedCache(effects)

  return async (visit) => {
    const { request, requestId } = visit
    requireMethod(request, ['GET', 'HEAD'])
    const site = await sites.at(publicUrl(request))
    const baseUrl = site?.baseUrl ?? homeUrl(payload)
    if (baseUrl === '') throw noOwnUrl()
    const asked = textParameter((await visit.parameters()).tree, 'currency')
    const currency = readCurrency(asked, products.currencies)
    const view = { site, baseUrl, currency, productUrl: options.productUrl }
    const key = JSON.stringify([view.baseUrl, view.site?.id, view.currency])
    // HEAD does not wait until the products are read.
    if (request.method === 'HEAD' && cache.cached(key) === undefined) return reply(null)
    const found = await cache.get(key, () => productFeedText(view, products, { log, requestId }))
    if ('cachedChunks' in found) return cachedReply(found, request)
    return reply(
      streamOf(found.chunks, (err) => log.error({ requestId, err }, 'The product feed broke off')),
    )
  }
}

/** JSON text, a page at a time. When it breaks off, it is not valid JSON. */
async function* productFeedText(
  view: ProductFeedView,
  products: PublicProducts,
  { log, requestId }: { log: Log; requestId: string },
): AsyncGenerator<string> {
  let before = '['
  let count = 0
  let last: DocumentId | undefined
  do {
    const page = await products.pageAfter(last, view.site?.language ?? '')
    const items = page.products.flatMap((product) => {
      try {
        return productFeedItem(product, view) ?? []
      } catch (err) {
        // The store's own `productUrl` threw, so the product feed loses this product only.
        const about = { requestId, productId: product.id, err }
        log.error(about, 'The product feed leaves out a product that failed')
        return []
      }
    })
    count += page.products.length - items.length
    if (items.length > 0) {
      yield before + items.map((item) => JSON.stringify(item)).join(',\n')
      before = ',\n'
    }
    last = page.last
  } while (last !== undefined)
  if (count > 0) {
    log.warn(
      { requestId, count },
      'The product feed leaves out products without a title, page or picture',
    )
  }
  yield before === '[' ? '[]\n' : ']\n'
}

/** If the request's `Host` stood in for the URL, a client could give other clients links to a wrong host. */
const noOwnUrl = () => new Problem('SHOP_URL_MISSING', { log: { setting: 'serverURL, or a site' } })

/** Blank in a store without prices: its product feed has no prices either. */
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

function cachedReply(
  { cachedChunks, size, etag }: CachedProductFeed,
  request: ActionRequest,
): Response {
  if (hasEtag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, {
      status: 304,
      headers: { etag, 'cache-control': headers['cache-control'] },
    })
  }
  return reply(streamOf(cachedChunks.values()), { etag, 'content-length': String(size) })
}

/** A failure breaks the stream, so that no client takes it for a whole. */
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

const hasEtag = (header: string | null, etag: string): boolean =>
  header !== null &&
  header.split(',').some((text) => {
    const named = text.trim()
    return named === '*' || named.replace(/^W\//, '') === etag
  })
