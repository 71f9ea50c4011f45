import type { Break } from './break.js'

export const catalogBreaks: readonly Break[] = [
  {
    fault: 'A job that a dead process may have posted is taken for one that was not.',
    file: 'src/marketing/catalog/catalog-work.ts',
    from: "update({ state: unsure, job: null }, isIn('sending'))",
    to: "update({ state: unsure, job: null }, isIn('ask'))",
    tests: ['test/marketing/catalog/lost-jobs.test.ts'],
  },
  {
    fault: 'A variant is sent before its item is at Klaviyo.',
    file: 'src/marketing/catalog/catalog-work.ts',
    from: "verb === 'create' ? sql`${isVerb} and ${hasAtKlaviyo('item')}` : isVerb",
    to: 'isVerb',
    tests: ['test/marketing/catalog/whole-catalog.test.ts'],
  },
  {
    fault: 'A first refusal counts, though it may only say that the entry is there already.',
    file: 'src/marketing/catalog/job-outcomes.ts',
    from: 'const triesAtMost = 2',
    to: 'const triesAtMost = 1',
    tests: [
      'test/marketing/catalog/lost-jobs.test.ts',
      'test/unit/marketing/catalog/job-outcomes.test.ts',
    ],
  },
  {
    fault: 'The night deletes what a merchant has put into the catalog.',
    file: 'src/marketing/catalog/catalog-sync.ts',
    from: '.filter(([, entry]) => isOf(shopMark(view), entry))',
    to: '',
    tests: ['test/marketing/catalog/catalog.test.ts'],
  },
  {
    fault: 'What is unpublished is deleted.',
    file: 'src/marketing/catalog/catalog-products.ts',
    from: 'wish: isThere && wish ? hidden(wish) : null',
    to: 'wish: isThere && wish && visible.has(product) ? hidden(wish) : null',
    tests: ['test/marketing/catalog/catalog.test.ts'],
  },
  {
    fault: 'A variant stays under the product from which it was moved.',
    file: 'src/marketing/catalog/catalog-work.ts',
    from: 'delete: sql`${isKnown} and (not ${isWanted} or ${hasMoved})`',
    to: 'delete: sql`${isKnown} and not ${isWanted}`',
    tests: ['test/marketing/catalog/catalog.test.ts'],
  },
  {
    fault: 'What Klaviyo lost while the shop had its feed is missing until the night.',
    file: 'src/marketing/catalog/catalog-sync.ts',
    from: "if (catalog !== 'api') return stop(session)",
    to: "if (catalog !== 'api') return",
    tests: ['test/marketing/catalog/catalog.test.ts'],
  },
  {
    fault:
      'More products are read at once than one reading returns, and the others count as hidden.',
    file: 'src/marketing/catalog/catalog-products.ts',
    from: 'export const productsAtOnce = 100',
    to: 'export const productsAtOnce = 1_000',
    tests: ['test/marketing/catalog/catalog.test.ts'],
  },
  {
    fault: 'What is deleted while Klaviyo’s pages are read makes the next page skip some.',
    file: 'src/marketing/catalog/catalog-sync.ts',
    from: 'mayDelete: !isListing',
    to: 'mayDelete: isListing || !isListing',
    tests: ['test/marketing/catalog/catalog.test.ts'],
  },
  {
    fault: 'A job that Klaviyo never ends is waited for, as long as processes come and go.',
    file: 'src/marketing/catalog/catalog-calls.ts',
    from: "const begun = state.is === 'open' ? state.begunAt : undefined",
    to: "const begun = state.is === 'open' ? new Date(begunAt) : undefined",
    tests: ['test/marketing/catalog/lost-jobs.test.ts'],
  },
]
