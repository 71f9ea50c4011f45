import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Locator } from 'playwright-core'

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong in a part of a page, each rule with the places: contrast, names, roles, headings, and so on. */
export async function axeFindings(root: Locator): Promise<string[]> {
  // Not a script of the page, which the policy of a page may forbid.
  await root.page().evaluate(script)
  return root.evaluate(async (element) => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe }
    const { violations } = await inPage.run(element)
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`,
      ),
    )
  })
}
