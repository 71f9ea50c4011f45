import { cookieValue } from '../core/http/request-headers.js'

/** What was added to a cart, as `update-cart` names it. */
interface Addition {
  ids: { productId?: number | string | undefined; variantId?: number | string | undefined }
  quantity: number
}

/** The most additions that one page reports. Each makes an event with the whole cart. */
export const reportedAdditions = 10

// The prefix ties the cookie to one host. Browsers accept it over https only.
const nameOf = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}storeconnect-added`

const seconds = 300

const attributes = (isSecure: boolean) => `Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`

/** The parameters that name additions, as `readCartChange` reads them. */
export const additionParameters = (additions: readonly Addition[]): string =>
  new URLSearchParams(
    additions.flatMap(({ ids: { productId, variantId }, quantity }, index) => [
      ...(productId === undefined ? [] : [[`items[${index}][productId]`, String(productId)]]),
      ...(variantId === undefined ? [] : [[`items[${index}][variantId]`, String(variantId)]]),
      [`items[${index}][qty]`, String(quantity)],
    ]),
  ).toString()

/** The `Set-Cookie` header that tells the next page what was added, together with what no page has taken yet. */
export function additionsCookie(
  additions: readonly Addition[],
  headers: Headers,
  isSecure: boolean,
): string {
  const waiting = additionsIn(cookieValue(headers, nameOf(isSecure)) ?? '')
  const kept = [...waiting, ...additions].slice(-reportedAdditions)
  const text = encodeURIComponent(additionParameters(kept))
  return `${nameOf(isSecure)}=${text}; ${attributes(isSecure)}; Max-Age=${seconds}`
}

/** In the browser: reads the parameters of what was added, and deletes the cookie. */
export function takeAdditions(): string | undefined {
  const isSecure = location.protocol === 'https:'
  const name = nameOf(isSecure)
  const pair = document.cookie.split('; ').find((text) => text.startsWith(`${name}=`))
  if (pair === undefined) return undefined
  document.cookie = `${name}=; ${attributes(isSecure)}; Max-Age=0`
  return additionParameters(additionsIn(pair.slice(name.length + 1)))
}

/** Reads a cookie. Visitors can send one that we did not write; it names no additions. */
function additionsIn(text: string): Addition[] {
  const parameters = new URLSearchParams(decoded(text))
  return Array.from({ length: reportedAdditions }, (_, index) => ({
    ids: {
      productId: idAt(parameters, `items[${index}][productId]`),
      variantId: idAt(parameters, `items[${index}][variantId]`),
    },
    quantity: Number(parameters.get(`items[${index}][qty]`)),
  })).filter(
    ({ ids, quantity }) =>
      (ids.productId ?? ids.variantId) !== undefined && quantity >= 1 && quantity <= 9999,
  )
}

/** The longest id of a document: text ids are UUIDs or shorter. */
const idAt = (parameters: URLSearchParams, name: string): string | undefined =>
  /^[\w-]{1,64}$/.exec(parameters.get(name) ?? '')?.[0]

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
