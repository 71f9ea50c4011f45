const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })

/** The folders and files of `src`, features above what they stand on. Imports, of types too, run downwards. */
const order = [
  '(index|types|plugin).ts',
  'options.ts',
  'next/',
  'node/',
  'cli/',
  'admin/',
  'installation.ts',
  '(instances|build-parts).ts',
  'features.ts',
  'alerts/',
  'overview/',
  'metrics/',
  'story/',
  'onsite/',
  'carts/restore/',
  'forms/',
  'erasure/',
  'history/',
  'product-feed/',
  'feeds/',
  'accounts/',
  'carts/',
  'consent/',
  'delivery/',
  'marketing-settings/',
  'events/',
  'consent/customer-consents.ts',
  'accounts/verified-email.ts',
  'klaviyo/',
  'shipping/(feature|parts).ts',
  'shipping/export/',
  'shipping/notice/',
  'shipping/',
  'orders/(feature|parts).ts',
  'sites/(feature|parts).ts',
  'http/(feature|parts).ts',
  'feature.ts',
  'orders/',
  'sites/',
  'shop.ts',
  'shop-options.ts',
  'orders/shop-names.ts',
  'orders/order.ts',
  'payload/',
  'http/',
  'workers/',
  'database/',
  'shipping/dates/',
  'errors.ts',
  'translations/',
  'options-schema.ts',
  'effects.ts',
]

/** A folder does not have the folders inside it that have a place of their own. */
const pathOf = (place) => {
  const inner = order.filter((other) => other !== place && other.startsWith(place))
  const others = inner.map((other) => `(?!${other.slice(place.length)})`).join('')
  return `^src/${place.replace('.', '\\.')}${others}`
}

const climbing = order
  .slice(1)
  .map((place, index) =>
    forbid(
      `${place.replace(/\W+/g, '-').replace(/-(ts)?$/, '')}-imports-downwards`,
      { path: pathOf(place) },
      { path: order.slice(0, index + 1).map(pathOf) },
      'What a folder stands on does not know it.',
    ),
  )

module.exports = {
  forbidden: [
    ...climbing,
    forbid(
      'every-folder-has-its-place',
      { path: '^src/', pathNot: order.map(pathOf) },
      {},
      'A new folder gets its place in the order above.',
    ),
    forbid('no-circles', {}, { circular: true }, 'A circle of imports hides who needs whom.'),
    forbid(
      'no-react-in-the-config',
      { path: '^src/', pathNot: '^src/(admin|next)/' },
      { path: '^(node_modules/(react|react-dom|next|@payloadcms/ui)/|src/(admin|next)/)' },
      'The command line and workers load the config too.',
    ),
    forbid(
      'zod-is-zod-mini',
      { path: '^src/' },
      { path: '^node_modules/zod/', pathNot: '^node_modules/zod/(mini/|v4/locales/en\\.)' },
      "Import 'zod/mini': the rest of zod takes a cold start longer, and more for each schema.",
    ),
    forbid(
      'nobody-imports-our-entries',
      { path: '^src/' },
      {
        path: '^src/(index|types|next/index|node/index|admin/rsc)\\.ts$',
      },
      'Entries are for stores. Inside, import the file that has it.',
    ),
    forbid(
      'one-file-has-all-languages',
      { path: '^src/', pathNot: '^src/translations/translations\\.ts$' },
      { path: '^src/translations/languages/' },
      'A part that imports one language would not follow the reader.',
    ),
    forbid(
      'source-knows-no-tests',
      { path: '^src/' },
      { path: '^(test|bench|dev)/' },
      'The package is complete without them.',
    ),
    forbid(
      'dependencies-are-declared',
      { path: '^src/' },
      {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
        dependencyTypesNot: ['npm-peer'],
      },
      'A store that installs the package gets dependencies and peers only.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'] },
  },
}
