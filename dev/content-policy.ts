/** What a page may load. With a nonce, Klaviyo's script runs because a script that has it loads it. */
export function contentPolicy({ nonce, pathname }: { nonce: string; pathname: string }): string {
  const klaviyo = process.env.KLAVIYO_URL || 'https://*.klaviyo.com'
  // Static pages were built before the nonce was known.
  const isStatic = pathname.startsWith('/help/')
  const scripts = isStatic
    ? `'self' 'unsafe-inline' ${klaviyo}`
    : `'nonce-${nonce}' 'strict-dynamic'`
  return [
    "default-src 'self'",
    `script-src ${scripts}`,
    // React and the form guard write style attributes, which no nonce can allow.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${klaviyo}`,
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
