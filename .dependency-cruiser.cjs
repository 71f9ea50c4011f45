/** Which part may know which (`docs/architecture.md`). Imports run downwards only. */
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })

module.exports = {
  forbidden: [
    forbid('no-circles', {}, { circular: true }, 'A circle of imports hides who needs whom.'),
    forbid(
      'commerce-knows-nobody',
      { path: '^src/commerce/' },
      { pathNot: '^src/commerce/' },
      'Our words stand on their own.',
    ),
    forbid(
      'payload-stays-at-the-edge',
      {
        path: '^src/',
        pathNot:
          '^src/(plugin|build-parts|installation|options/options)\\.ts$|^src/(store/payload|delivery|shop-events|history|admin|next|node)/',
      },
      { path: '^node_modules/(payload|@payloadcms|drizzle-orm)/' },
      'What stands apart from Payload stays so.',
    ),
    forbid(
      'adapters-are-built-by-the-plugin',
      {
        path: '^src/',
        pathNot:
          '^src/((plugin|build-parts)\\.ts|store/payload/|delivery/|shop-events/|history/|admin/)',
      },
      { path: '^src/store/payload/' },
      'Everybody else knows the ports alone.',
    ),
    forbid(
      'the-http-part-knows-no-action',
      { path: '^src/(http|dates|settings|commerce)/' },
      { path: '^src/(actions|store/payload|admin|next|node)/' },
      'What doors share does not know the doors.',
    ),
    forbid(
      'messages-know-no-platform',
      { path: '^src/marketing/' },
      { path: '^src/(actions|admin|klaviyo|next|node|shop-events|history|store/payload)/' },
      'What is told to a platform is said in our words.',
    ),
    forbid(
      'the-platform-is-named-by-the-plugin',
      { path: '^src/', pathNot: '^src/((plugin|build-parts)\\.ts|klaviyo/)' },
      { path: '^src/klaviyo/' },
      'Another platform can stand behind the port.',
    ),
    forbid(
      'the-platform-knows-the-port-alone',
      { path: '^src/klaviyo/' },
      { path: '^src/', pathNot: '^src/(klaviyo|marketing)/' },
      'It knows messages, and nothing of where they come from.',
    ),
    forbid(
      'delivery-knows-neither-end',
      { path: '^src/delivery/' },
      { path: '^src/(actions|admin|history|klaviyo|next|node|shop-events)/' },
      'It knows neither who stores sends nor how the platform is asked.',
    ),
    forbid(
      'no-react-in-the-config',
      { path: '^src/', pathNot: '^src/(admin|next)/' },
      { path: '^(node_modules/(react|react-dom|next|@payloadcms/ui)/|src/(admin|next)/)' },
      'The command line and workers load the config too.',
    ),
    forbid(
      'nobody-imports-our-entries',
      { path: '^src/' },
      { path: '^src/(index|next/index|node/index|admin/rsc)\\.ts$' },
      'Entries are for stores. Inside, import the file that has it.',
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
