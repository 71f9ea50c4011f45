import js from '@eslint/js'
import tseslint from 'typescript-eslint'

/** The pages that are made on the server; the rest of `next` runs in a browser. */
const serverPages = ['index.ts', 'proxy.ts', 'store-pages.tsx', 'visitor-session.ts']

const effectsOnly = 'Use the effects of the shop: src/core/effects.ts.'

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      '**/.next/**',
      'dev/.built/**',
      'dev/.data/**',
      'dev/next-env.d.ts',
      '.dependency-cruiser.cjs',
      'dev/payload-types.ts',
      'dev/app/(payload)/admin/importMap.js',
    ],
  },
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: [
            '*.js',
            'dev/*.mjs',
            'test/serverless/*.mjs',
            'test/package/store/*.mjs',
          ],
        },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      // The package's types show the name of an interface, and all members of another type.
      '@typescript-eslint/no-empty-object-type': [
        'error',
        { allowInterfaces: 'with-single-extends' },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-base-to-string': 'off', // Texts from outside are `unknown` until read.
      complexity: ['error', 14],
      eqeqeq: 'error',
      'max-depth': ['error', 3],
      'max-params': ['error', 3],
      'no-console': 'off',
    },
  },
  {
    files: ['src/**'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'URL',
          property: 'canParse',
          message: 'Use parseUrl: src/core/http/public-origin.ts.',
        },
      ],
    },
  },
  {
    files: [
      'src/*.ts',
      'src/{plugin,core,shop,shipping,carts,marketing}/**',
      'src/merchant/!(admin)/**',
      // A terminal waits for a person.
      'src/mounts/cli/!(terminal).ts',
      ...serverPages.map((page) => `src/mounts/next/${page}`),
    ],
    ignores: ['src/core/effects.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['setTimeout', 'setInterval', 'performance', 'fetch'].map((name) => ({
          name,
          message: effectsOnly,
        })),
      ],
      'no-restricted-syntax': [
        'error',
        ...[
          "NewExpression[callee.name='Date'][arguments.length=0]",
          "MemberExpression[object.name='Date'][property.name='now']",
          "MemberExpression[object.name='Math'][property.name='random']",
          "MemberExpression[object.name='AbortSignal'][property.name='timeout']",
          "MemberExpression[object.name='crypto'][property.name=/^(getRandomValues|random(Bytes|UUID|Int))$/]",
          "VariableDeclarator[init.name='crypto']",
          "MemberExpression[object.name='globalThis'][property.name=/^(set(Timeout|Interval)|fetch|performance|crypto)$/]",
        ].map((selector) => ({ selector, message: effectsOnly })),
        {
          selector: "ImportDeclaration[source.value='zod/mini'] > ImportSpecifier",
          message: "import * as z from 'zod/mini': then a bundler leaves out what is not used.",
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:crypto',
              importNames: ['randomBytes', 'randomUUID', 'randomInt'],
              message: effectsOnly,
            },
            {
              // To let others go first takes no time.
              name: 'node:timers/promises',
              allowImportNames: ['setImmediate'],
              message: effectsOnly,
            },
            ...['node:timers', 'node:perf_hooks'].map((name) => ({ name, message: effectsOnly })),
          ],
        },
      ],
    },
  },
  {
    // A store has its parts made by the plugin. A test reaches them by partsOf().
    files: ['test/**'],
    ignores: ['test/unit/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              // What plays a platform is no part of a store.
              regex: '/src/(?!mounts/cli/shipstation/)',
              importNamePattern: '^create[A-Z]',
              message: 'Open a store, and reach its parts by partsOf(payload).',
            },
          ],
        },
      ],
    },
  },
  {
    // Nothing that the template stands on is installed here: its own build looks at its types.
    files: ['**/*.{js,mjs}', 'test/package/template/**'],
    ...tseslint.configs.disableTypeChecked,
  },
)
