import type { Page } from 'playwright-core'

const dayMilliseconds = 24 * 60 * 60 * 1000
const newestDay = Date.UTC(2026, 2, 10)

/** Gives what differs from store to store, such as days and references, the same text each time. */
export async function makeAlike(page: Page): Promise<void> {
  const days = Array.from({ length: 40 }, (_, index) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
      newestDay - index * 3 * dayMilliseconds,
    ),
  )
  await setTexts(page, 'time', days)
  await setTexts(
    page,
    '.reference',
    days.map((_, index) => `7K3Q-9D${String(10 + index)}`),
  )
}

/** The first of the texts to the first element, and so on; elements beyond keep theirs. */
export async function setTexts(page: Page, selector: string, texts: string[]): Promise<void> {
  await page.locator(selector).evaluateAll((elements, given) => {
    elements.forEach((element, index) => {
      element.textContent = given[index] ?? element.textContent
    })
  }, texts)
}
