import type { Locator, Page } from 'playwright-core'

export const phone = { width: 390, height: 844 }
export const smallScreen = { width: 1280, height: 800 }

/** How far a page can be scrolled sideways; 0 for one that fits. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return Math.max(0, scrollWidth - clientWidth)
  })

/** Whether nothing of an element is cut off at the left or the right. */
export async function isWhollyInView(locator: Locator): Promise<boolean> {
  const box = await locator.boundingBox()
  const width = locator.page().viewportSize()?.width ?? 0
  return box !== null && box.x >= 0 && box.x + box.width <= width
}
