import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { untilAnswered } from '../support/visit.js'

/** Saves the document of the page, and waits until the shop has it and the form can be used again. */
export async function save(
  page: Page,
  press = (): Promise<void> => page.click('#action-save'),
): Promise<void> {
  // The form does not know yet what was typed while the button is not enabled.
  await expect.poll(() => page.locator('#action-save').isEnabled()).toBe(true)
  const path = new URL(page.url()).pathname.replace(/^\/admin(\/collections)?/, '/api')
  const answer = page.waitForResponse(
    (response) =>
      new URL(response.url()).pathname === path &&
      ['PATCH', 'POST'].includes(response.request().method()),
  )
  await press()
  expect((await answer).status()).toBe(200)
  await untilAnswered(page)
  await page.getByText('Updated successfully').first().waitFor()
}
