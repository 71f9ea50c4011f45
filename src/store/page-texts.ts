/** What the shop's pages and notices say, in one language. */
export interface PageTexts {
  /** BCP 47: the language that the pages are in. */
  language: string
  restored: string
  formerCartKept: string
  cartUpdated: string
  loggedIn: string
  loggedOut: string
  /** The same whatever was wrong: it must not tell who has an account. */
  loginRefused: string
  logOut: PageText
  logIn: PageText
  /** Why a link brings no cart back. */
  refusals: Readonly<Record<RestoreRefusal, string>>
  toShop: string
}

/** The errors that a person with a link may get to see. */
export type RestoreRefusal =
  | 'CART_NUMBER_MISSING'
  | 'CART_NOT_FOUND'
  | 'CART_COMPLETED'
  | 'CART_OF_OTHER_STORE'
  | 'CART_URL_MISSING'
  | 'LINK_EXPIRED'

export interface PageText {
  heading: string
  explanation: string
  button: string
}

/** The texts in a language; blank stands for the store's own. What it lacks comes in English. */
export type ReadPageTexts = (language: string) => PageTexts
