import type { Page } from 'playwright-core'

/** Opens what a page of settings has folded away. */
export async function unfold(page: Page): Promise<void> {
  await page.locator('.collapsible__toggle').first().waitFor()
  const folded = page.locator('.collapsible__toggle--collapsed')
  while ((await folded.count()) > 0) await folded.first().click()
}
