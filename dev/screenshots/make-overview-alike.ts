import type { Page } from 'playwright-core'
import { setTexts } from './make-alike.ts'

/** Sends of each hour of a quiet day, from the morning on. */
const sends = [
  14, 18, 26, 31, 24, 22, 27, 35, 42, 38, 29, 17, 9, 5, 2, 1, 0, 0, 1, 3, 8, 15, 19, 21,
]
const total = sends.reduce((sum, count) => sum + count, 0)
const most = Math.max(...sends)

/** Gives the merchant's page the same port, times, order numbers and sends each time. */
export async function makeOverviewAlike(page: Page): Promise<void> {
  await setTexts(page, '.storeconnect-overview time', [
    '2 minutes ago (Mar 10, 2026, 9:39 AM)',
    '2 minutes ago (Mar 10, 2026, 9:39 AM)',
    '1 minute ago (Mar 10, 2026, 9:40 AM)',
    '1 minute ago (Mar 10, 2026, 9:40 AM)',
  ])
  await setTexts(page, '.cell-skipped-reference a', [
    '7K3Q-9D10',
    '7K3Q-9D11',
    '7K3Q-9D12',
    '7K3Q-9D13',
  ])
  await setTexts(page, '.storeconnect-overview__axis span', [
    '10:00 AM',
    '4:00 PM',
    '10:00 PM',
    '4:00 AM',
  ])
  await page.locator('.storeconnect-overview').evaluate((overview, summary) => {
    const texts = document.createTreeWalker(overview, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      text.nodeValue = (text.nodeValue ?? '')
        .replace(/127\.0\.0\.1:\d+/, '127.0.0.1:3000')
        .replace(/^[\d,]+ in all, [\d,]+/, summary)
        .replace(/^\S+ · /, '7K3Q-9D04 · ')
    }
  }, `${total} in all, ${most}`)
  await page.locator('.storeconnect-overview rect').evaluateAll(
    (bars, heights) => {
      for (const [index, bar] of bars.entries()) {
        const height = heights[index] ?? 0
        bar.setAttribute('height', String(height))
        bar.setAttribute('y', String(1 - height))
      }
    },
    sends.map((count) => count / most),
  )
}
