import type { Page } from 'playwright-core'

/** What goes wrong in the browser while a page is visited, as the browser reports it. */
export function noteComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}
