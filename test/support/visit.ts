import type { Page } from 'playwright-core'

/** Opens a page, and waits until what is pressed or typed there is answered: a press that comes before is lost. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.waitForFunction(() =>
    [...document.querySelectorAll('button, input')].every((element) =>
      Object.keys(element).some((key) => key.startsWith('__reactProps$')),
    ),
  )
}
