const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })

/** The rooms of `src`, each above those that it stands on. Imports, of types too, run downwards. */
const rooms = [
  { room: 'plugin', path: '^src/(plugin/|(index|types|plugin)\\.ts)' },
  { room: 'mounts', folders: ['next', 'node', 'cli'] },
  { room: 'installer', folders: ['steps'] },
  { room: 'merchant', folders: ['admin', 'alerts', 'overview', 'people', 'story', 'erasure'] },
  {
    room: 'marketing',
    folders: [
      ...[
        'metrics',
        'onsite',
        'forms',
        'history',
        'reviews',
        'coupons',
        'catalog',
        'product-feed',
        'feeds',
        'consent',
      ],
      ...['delivery', 'settings', 'accounts', 'events', 'klaviyo'],
    ],
  },
  { room: 'carts', folders: ['restore', 'accounts'] },
  { room: 'shipping', folders: ['export', 'tracking', 'notice', 'dates'] },
  { room: 'shop', folders: ['payments', 'orders', 'sites'] },
  { room: 'core', folders: ['workers', 'payload', 'http', 'people', 'database', 'translations'] },
].map(({ room, folders = [], path = `^src/${room}/` }) => ({ room, folders, path }))

const climbing = rooms
  .slice(1)
  .map(({ room, path }, index) =>
    forbid(
      `${room}-imports-downwards`,
      { path },
      { path: rooms.slice(0, index + 1).map((above) => above.path) },
      'What a room stands on does not know it.',
    ),
  )

/** Inside a room its folders have an order; the files beside them have none. */
const climbingInside = rooms.flatMap(({ room, folders }) =>
  folders
    .slice(1)
    .map((folder, index) =>
      forbid(
        `${room}-${folder}-imports-downwards`,
        { path: `^src/${room}/${folder}/` },
        { path: folders.slice(0, index + 1).map((above) => `^src/${room}/${above}/`) },
        'What a folder stands on does not know it.',
      ),
    ),
)

module.exports = {
  forbidden: [
    ...climbing,
    ...climbingInside,
    forbid(
      'shipping-and-carts-stand-alone',
      { path: '^src/(shipping|carts)/' },
      { path: '^src/(shipping|carts)/', pathNot: '^src/$1/' },
      'A shop may have one without the other.',
    ),
    forbid(
      'the-installer-stands-alone',
      { path: '^src/installer/' },
      { path: '^src/(?!installer/)' },
      'It changes stores, and is no part of one that runs.',
    ),
    forbid(
      'every-folder-has-its-place',
      {
        path: '^src/',
        pathNot: rooms.flatMap(({ path, room, folders }) =>
          room === 'plugin'
            ? [path]
            : [`^src/${room}/[^/]+$`, ...folders.map((each) => `^src/${room}/${each}/`)],
        ),
      },
      {},
      'A new folder gets its place in the order above.',
    ),
    forbid('no-circles', {}, { circular: true }, 'A circle of imports hides who needs whom.'),
    forbid(
      'no-react-in-the-config',
      { path: '^src/', pathNot: '^src/(merchant/admin|mounts/next)/' },
      {
        path: '^(node_modules/(react|react-dom|next|@payloadcms/ui)/|src/(merchant/admin|mounts/next)/)',
      },
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
        path: '^src/(index|types|mounts/next/index|mounts/node/index|merchant/admin/rsc)\\.ts$',
      },
      'Entries are for stores. Inside, import the file that has it.',
    ),
    forbid(
      'one-file-has-all-languages',
      { path: '^src/', pathNot: '^src/core/translations/translations\\.ts$' },
      { path: '^src/core/translations/languages/' },
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
      // The build puts the libraries of the installer into its one file.
      { path: '^src/', pathNot: '^src/installer/' },
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
