/** What the pages and notices of a restored cart say, in one language. */
export interface PageTexts {
  /** BCP 47: the language that the texts are in. */
  language: string
  restored: string
  formerCartKept: string
  logOut: PageText
  logIn: PageText
}

export interface PageText {
  heading: string
  explanation: string
  button: string
}

/** The texts in a language; blank stands for the store's own. What it lacks comes in English. */
export type ReadPageTexts = (language: string) => PageTexts
