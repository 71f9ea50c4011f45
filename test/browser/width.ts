import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export const phone = { width: 390, height: 844 }
export const smallScreen = { width: 1280, height: 800 }

/** How far a page can be scrolled sideways; 0 for one that fits. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return Math.max(0, scrollWidth - clientWidth)
  })

/** Waits until all of a page is there: what is still loading, and its fonts, change the width of the page. */
export async function untilLaidOut(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('.shimmer-effect, .rs__loading-indicator') === null,
  )
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
}

/** Once a page is laid out, which it is again while its scripts begin, it cannot be scrolled sideways. */
export async function expectToFit(page: Page): Promise<void> {
  await untilLaidOut(page)
  await expect.poll(() => sidewaysScroll(page)).toBe(0)
}

/** Nothing of an element is cut off at the left or the right, once its page is laid out. */
export async function expectWhollyInView(locator: Locator): Promise<void> {
  const isWhollyInView = async () => {
    const box = await locator.boundingBox()
    const width = locator.page().viewportSize()?.width ?? 0
    return box !== null && box.x >= 0 && box.x + box.width <= width
  }
  await untilLaidOut(locator.page())
  await expect.poll(isWhollyInView).toBe(true)
}
