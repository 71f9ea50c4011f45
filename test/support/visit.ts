import type { Page } from 'playwright-core'

/** Opens a page, and waits until what is pressed or typed there is answered. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await untilAnswered(page)
}

/** A press that comes before is lost, and so is what is typed before Payload's form is ready. */
export async function untilAnswered(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('form[data-form-ready=false]') === null &&
      [...document.querySelectorAll('button, input')].every((element) =>
        Object.keys(element).some((key) => key.startsWith('__reactProps$')),
      ),
  )
}
