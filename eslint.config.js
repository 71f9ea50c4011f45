import js from '@eslint/js'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      '**/.next/**',
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
        projectService: { allowDefaultProject: ['*.js', 'dev/*.mjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
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
        { object: 'URL', property: 'canParse', message: 'Use parseUrl: src/http/parse-url.ts.' },
      ],
    },
  },
  {
    // Nothing that the template stands on is installed here: its own build looks at its types.
    files: ['**/*.{js,mjs}', 'test/package/template/**'],
    ...tseslint.configs.disableTypeChecked,
  },
)
