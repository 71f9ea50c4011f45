/** The parameter of Klaviyo's links in mails that says who follows one. */
export const exchangeIdParameter = '_kx'

/** Bounded, as it is kept in the session's cookie. Klaviyo's own have about fifty characters. */
export const isExchangeId = (text: string): boolean => /^[\w=.-]{1,200}$/.test(text)
