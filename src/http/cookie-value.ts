/** Browsers keep no cookie that is longer, name and attributes included. */
export const cookieLimitBytes = 4096

/** The value of a cookie that the browser sent; undefined when it sent none of that name. */
export function cookieValue(headers: Headers, name: string): string | undefined {
  for (const pair of headers.get('cookie')?.split(';') ?? []) {
    const [key = '', ...value] = pair.split('=')
    if (key.trim() === name) return value.join('=').trim()
  }
  return undefined
}
