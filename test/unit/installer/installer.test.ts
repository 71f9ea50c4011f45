import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { symlinkSync, writeFileSync } from 'node:fs'
import { format } from 'prettier'
import { describe, expect, it } from 'vitest'
import { install, project, shopFolder, shopManifest, textsOf } from './shop-folder.js'

const plugins = 'src/plugins/index.ts'
const provider = 'src/providers/index.tsx'

describe('storeconnect init', () => {
  it('makes every change that a store of the template needs', async () => {
    const folder = shopFolder()
    const { code, commands } = await install(folder, 'init', {
      given: ['--yes', '--package', '^9.9.9'],
    })
    expect(code).toBe(0)
    const texts = textsOf(folder)
    expect(texts['package.json']).toContain(
      '"payload": "3.90.2",\n    "payload-storeconnect": "^9.9.9",\n    "react"',
    )
    expect(texts[plugins]).toContain("import { storeConnect } from 'payload-storeconnect'\n")
    expect(texts[plugins]).toMatch(
      /\n {2}\}\),\n {2}storeConnect\(\{ addProductFields: true \}\),\n\]\n$/,
    )
    expect(texts['src/app/actions/[...path]/route.ts']).toContain('} = actionRoutes(config)\n')
    expect(texts['src/proxy.ts']).toContain('export const proxy = visitorSession(')
    expect(texts['src/storeconnect.ts']).toContain('storePages(config)')
    expect(texts[provider]).toContain(
      "import { EcommerceProvider } from 'payload-storeconnect/react'",
    )
    expect(texts['src/seed.ts']).toContain("['header', 'footer'] as const satisfies GlobalSlug[]")
    expect(texts['.env']).toBe('PAYLOAD_SECRET=secret\nSHIPSTATION_PASSWORD=\nKLAVIYO_API_KEY=\n')
    expect(commands).toEqual([
      'npm install',
      'npx --no-install payload generate:importmap',
      'npx --no-install payload generate:types',
    ])
  })

  it('adds no fields to a store whose products have a SKU and a weight', async () => {
    const own = "export const fields = [{ name: 'sku' }, { name: 'weight' }]\n"
    const folder = shopFolder({ 'src/collections/fields.ts': own })
    await install(folder, 'init')
    expect(textsOf(folder)[plugins]).toContain('storeConnect()')
  })

  it('leaves the call that a store has as it is, and says how products get a SKU', async () => {
    const own = `import { storeConnect } from 'payload-storeconnect'

export const plugins = [storeConnect({ timezone: 'Europe/Berlin' })]
`
    const folder = shopFolder({ [plugins]: own })
    const { said } = await install(folder, 'init')
    expect(said).toContain('storeConnect({ addProductFields: true }) adds them.')
    expect(textsOf(folder)[plugins]).toBe(own)
  })

  it('changes nothing the second time', async () => {
    const folder = shopFolder()
    await install(folder, 'init')
    const before = textsOf(folder)
    const { code, said, commands } = await install(folder, 'init')
    expect({ code, commands }).toEqual({ code: 0, commands: [] })
    expect(said).toContain('No file changes.')
    expect(textsOf(folder)).toEqual(before)
  })

  it.each([['--dry-run'], ['--dry-run', '--yes']])(
    'with %s %s shows the diff and changes nothing',
    async (...given) => {
      const folder = shopFolder()
      const before = textsOf(folder)
      const { code, said, commands } = await install(folder, 'init', { given })
      expect({ code, commands }).toEqual({ code: 0, commands: [] })
      expect(said).toContain('+++ b/src/plugins/index.ts')
      expect(textsOf(folder)).toEqual(before)
    },
  )

  it('changes nothing when the answer is no', async () => {
    const folder = shopFolder()
    const before = textsOf(folder)
    await install(folder, 'init', { given: [], answer: false })
    expect(textsOf(folder)).toEqual(before)
  })

  it('says what git does not have yet before it asks', async () => {
    const folder = shopFolder()
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    expect((await install(folder, 'init', { given: [], answer: false })).said).toMatch(
      /\d+ files have changes that are not committed/,
    )
  })

  it.each(['shipping', 'marketing'] as const)('installs %s alone', async (only) => {
    const folder = shopFolder()
    await install(folder, 'init', { given: ['--yes', '--only', only] })
    const texts = textsOf(folder)
    expect(texts[plugins]).toContain(
      {
        shipping: 'storeConnect({ marketing: false, addProductFields: true })',
        marketing: 'storeConnect({ shipping: false })',
      }[only],
    )
    expect(texts['.env']?.match(/^\w+/gm)).toEqual([
      'PAYLOAD_SECRET',
      { shipping: 'SHIPSTATION_PASSWORD', marketing: 'KLAVIYO_API_KEY' }[only],
    ])
    expect((await install(folder, 'doctor', { given: [] })).code).toBe(0)
  })

  it.each(['init', 'doctor'] as const)('says what Stripe has no room for: %s', async (command) => {
    const said = async (changed?: Record<string, string>) =>
      (await install(shopFolder(changed), command)).said
    expect(await said()).not.toContain('500 characters')
    const adapter = `import { stripeAdapter } from '@payloadcms/plugin-ecommerce/payments/stripe'
export const paymentMethods = [stripeAdapter({ secretKey: '', webhookSecret: '' })]\n`
    expect(await said({ 'src/payments.ts': adapter })).toContain('500 characters')
  })

  it('asks which product the store uses', async () => {
    const folder = shopFolder()
    await install(folder, 'init', { given: [] })
    expect(textsOf(folder)[plugins]).toContain('storeConnect({ marketing: false, ')
  })

  it.each([
    ['^16.3.3', '16.3.0'],
    ['^15.4.11', '^15.4.11'],
    ['16.4.5', '16.4.5'],
  ])('leaves Next.js at %s where the store has %s', async (after, before) => {
    const manifest = manifestWith('"next": "16.4.5"', `"next": "${before}"`)
    const folder = shopFolder({ 'package.json': manifest })
    await install(folder, 'init')
    expect(textsOf(folder)['package.json']).toContain(`"next": "${after}"`)
  })

  it('makes a migration where the store has migrations', async () => {
    const folder = shopFolder({ 'src/migrations/index.ts': 'export const migrations = []\n' })
    expect((await install(folder, 'init')).commands).toContain(
      'npx --no-install payload migrate:create storeconnect --skip-empty',
    )
  })

  it.each([
    ['pnpm-lock.yaml', 'pnpm install', 'pnpm exec payload generate:types'],
    ['yarn.lock', 'yarn install', 'yarn run payload generate:types'],
  ])('uses the package manager of %s', async (lockfile, ...expected) => {
    const folder = shopFolder({ [lockfile]: '' })
    expect((await install(folder, 'init')).commands).toEqual(expect.arrayContaining(expected))
  })

  it('runs a command that has failed again, and those behind it, until they succeed', async () => {
    const folder = shopFolder()
    const failing = 'npx --no-install payload generate:importmap'
    const left = [failing, 'npx --no-install payload generate:types']
    expect((await install(folder, 'init', { failing })).code).toBe(1)

    const doctor = await install(folder, 'doctor', { given: [] })
    expect(doctor.code).toBe(2)
    expect(doctor.said).toContain(left.join('\n'))
    const dryRun = await install(folder, 'init', { given: ['--dry-run'] })
    expect(dryRun).toMatchObject({ code: 0, commands: [] })
    expect(dryRun.said).toContain(left.join('\n'))

    expect((await install(folder, 'init', { failing })).commands).toEqual([failing])
    expect(await install(folder, 'init')).toMatchObject({ code: 0, commands: left })
    expect((await install(folder, 'init')).commands).toEqual([])
    expect((await install(folder, 'doctor', { given: [] })).code).toBe(0)
  })

  it('leaves its own commands to remove, which runs others', async () => {
    const folder = shopFolder({ 'src/migrations/index.ts': 'export const migrations = []\n' })
    await install(folder, 'init', { failing: 'npm install' })
    expect((await install(folder, 'remove')).commands).toContain(
      'npx --no-install payload migrate:create without-storeconnect --skip-empty',
    )
    expect((await install(folder, 'remove')).commands).toEqual([])
  })

  it.each([
    [
      'MongoDB',
      manifestWith('db-sqlite', 'db-mongodb'),
      /MongoDB.*npm install @payloadcms\/db-sqlite/s,
    ],
    [
      'no known database',
      manifestWith('@payloadcms/db-sqlite', 'other-database'),
      /needs @payloadcms\/db-sqlite/,
    ],
    ['no Payload', manifestWith('"payload": "3.90.2",', ''), /does not depend on Payload/],
  ])('stops at a store with %s, and changes nothing', async (_, manifest, expected) => {
    const folder = shopFolder({ 'package.json': manifest })
    const before = textsOf(folder)
    const { code, said } = await install(folder, 'init')
    expect(code).toBe(1)
    expect(said).toMatch(expected)
    expect(textsOf(folder)).toEqual(before)
  })

  it.each([['--only', 'email'], ['--colour']])('refuses %s %s', async (...given) => {
    expect((await install(shopFolder(), 'init', { given })).code).toBe(1)
  })

  it('prints what has no place, and ends with 2', async () => {
    const folder = shopFolder({ [provider]: 'export const Providers = () => null\n' })
    const { code, said } = await install(folder, 'init')
    expect(code).toBe(2)
    expect(said).toContain(
      'Where your pages import the EcommerceProvider, import it like this instead:\n\nimport { EcommerceProvider }',
    )
    expect((await install(folder, 'doctor', { given: [] })).code).toBe(2)
  })

  it('finishes what an interrupted command had begun', async () => {
    const folder = shopFolder()
    const change = [{ path: 'src/added.ts', after: 'export {}\n' }, { path: 'src/seed.ts' }]
    writeFileSync(join(folder, '.storeconnect-changes.json'), JSON.stringify(change))
    writeFileSync(join(folder, '.storeconnect-changes.json.new'), '[{"pa')
    const { said } = await install(folder, 'doctor', { given: [] })
    expect(said).toContain('Finished the changes')
    const texts = textsOf(folder)
    expect(texts['src/added.ts']).toBe('export {}\n')
    expect(Object.keys(texts)).not.toContain('src/seed.ts')
    expect(Object.keys(texts).filter((path) => path.startsWith('.storeconnect'))).toEqual([])
  })
})

describe('storeconnect remove', () => {
  const ownProxy = (head: string) => `import { NextResponse } from 'next/server'

${head}(request) {
  return NextResponse.next()
}

export const config = { matcher: '/shop/:path*' }
`
  const inline = `import { sqliteAdapter } from "@payloadcms/db-sqlite";
import { ecommercePlugin as shop } from "@payloadcms/plugin-ecommerce";
import { buildConfig } from "payload";

export default buildConfig({
  db: sqliteAdapter({ client: { url: "file:./store.db" } }),
  plugins: [shop({ customers: { slug: "users" } })],
});
`
  const config = 'src/payload.config.ts'
  it.each([
    ['like the template', {}],
    ['with inline plugins, an alias and another style', { [config]: inline, [plugins]: undefined }],
    [
      'with the plugin in a constant',
      {
        [config]: inline
          .replace('plugins: [shop', 'plugins: [own')
          .replace(/own\((.*)\)\]/, 'own]')
          .replace('\nexport', '\nconst own = shop({});\n\nexport'),
        [plugins]: undefined,
      },
    ],
    [
      'in JavaScript',
      { [config]: undefined, 'src/payload.config.js': inline, [plugins]: undefined },
    ],
    ['with a proxy', { 'src/proxy.ts': ownProxy('export async function proxy') }],
    ['with a default proxy', { 'src/proxy.ts': ownProxy('export default function') }],
    ['with a named default proxy', { 'src/proxy.ts': ownProxy('export default function proxy') }],
    ['with a middleware', { 'src/middleware.ts': ownProxy('export function middleware') }],
    [
      'with a proxy as a value',
      { 'src/proxy.ts': "export const proxy = (request) => new Response('')\n" },
    ],
    [
      'with lines of Windows',
      {
        '.env': 'A=1\r\nB=2',
        [provider]: windows(
          "import { EcommerceProvider } from '@payloadcms/plugin-ecommerce/client/react'\nexport const P = ({ children }) => (\n  <EcommerceProvider>{children}</EcommerceProvider>\n)\n",
        ),
      },
    ],
    ['without variables', { '.env': undefined }],
    [
      'with types that are imported apart',
      {
        [config]: inline.replace(
          'import { ecommercePlugin',
          'import type { EcommercePluginConfig } from "@payloadcms/plugin-ecommerce";\nimport { ecommercePlugin',
        ),
        [plugins]: undefined,
        [provider]:
          "import type { EcommerceConfig } from '@payloadcms/plugin-ecommerce/client/react'\nimport { EcommerceProvider } from '@payloadcms/plugin-ecommerce/client/react'\nexport const P = ({ children }) => <EcommerceProvider>{children}</EcommerceProvider>\n",
      },
    ],
    [
      'with other names beside the provider, and another name for it',
      {
        [provider]:
          "import { EcommerceProvider as Shop, useCart } from '@payloadcms/plugin-ecommerce/client/react'\nexport { useCart }\nexport const P = ({ children }) => <Shop>{children}</Shop>\n",
      },
    ],
  ])('leaves a store %s as it was', async (_, changed) => {
    const folder = shopFolder(changed)
    commit(folder)
    const before = filesOf(folder)
    expect((await install(folder, 'init')).code).toBe(0)
    expect(filesOf(folder)).not.toEqual(before)
    expect((await install(folder, 'doctor', { given: [] })).said).toContain(
      'Everything is in place.',
    )
    expect((await install(folder, 'remove')).code).toBe(0)
    expect(filesOf(folder)).toEqual(before)
  })

  it.each(['export async function proxy', 'export default function', 'export const proxy = '])(
    'understands what the Prettier of the store has made of its changes: %s',
    async (head) => {
      const file = 'src/proxy.ts'
      const options = { semi: false, singleQuote: true, parser: 'typescript' } as const
      const own = await format(ownProxy(head).replace('= (request) {', '= (request) => {'), options)
      const folder = shopFolder({ [file]: own, '.prettierrc.json': JSON.stringify(options) })
      symlinkSync(join(project, 'node_modules/prettier'), join(folder, 'node_modules/prettier'))
      await install(folder, 'init')
      const texts = textsOf(folder)
      expect(texts[file]).toContain('visitorSession({\n')
      for (const path of [
        file,
        provider,
        'src/storeconnect.ts',
        'src/app/actions/[...path]/route.ts',
      ])
        expect([path, texts[path]]).toEqual([path, await format(texts[path] ?? '', options)])
      await install(folder, 'remove')
      expect(textsOf(folder)[file]).toBe(own)
    },
  )

  it('changes a file without the Prettier of a store that fails, and says so', async () => {
    const folder = shopFolder({ '.prettierrc.json': '{ "plugins": ["not-installed"] }' })
    symlinkSync(join(project, 'node_modules/prettier'), join(folder, 'node_modules/prettier'))
    const { code, said } = await install(folder, 'init')
    expect(code).toBe(0)
    expect(said).toMatch(/Prettier did not format src\/proxy\.ts: .*not-installed/)
    expect(textsOf(folder)['src/proxy.ts']).toContain('visitorSession(')
  })

  it('keeps a variable that has a value', async () => {
    const folder = shopFolder()
    await install(folder, 'init')
    writeFileSync(join(folder, '.env'), 'PAYLOAD_SECRET=secret\nKLAVIYO_API_KEY=key\n')
    await install(folder, 'remove')
    expect(textsOf(folder)['.env']).toBe('PAYLOAD_SECRET=secret\nKLAVIYO_API_KEY=key\n')
  })

  it('says what was changed since, and ends with 2', async () => {
    const folder = shopFolder()
    await install(folder, 'init')
    const own = "import { storePages } from 'payload-storeconnect/next'\n// ours\n"
    writeFileSync(join(folder, 'src/storeconnect.ts'), own)
    const { code, said } = await install(folder, 'remove')
    expect(code).toBe(2)
    expect(said).toContain('By hand: what "Add the pieces for pages" has made was changed since.')
    expect(textsOf(folder)['src/storeconnect.ts']).toBe(own)
  })
})

const filesOf = (folder: string) =>
  Object.fromEntries(Object.entries(textsOf(folder)).filter(([path]) => !path.startsWith('.git')))

function commit(folder: string) {
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  execFileSync('git', ['add', '.'], { cwd: folder })
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
  execFileSync('git', [...identity, 'commit', '--quiet', '-m', 'shop'], { cwd: folder })
}

function windows(text: string) {
  return text.replaceAll('\n', '\r\n')
}

function manifestWith(from: string, to: string): string {
  return shopManifest.replace(from, to)
}
