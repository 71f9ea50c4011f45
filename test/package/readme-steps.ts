import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readmeFiles } from './readme-files.js'

const project = join(import.meta.dirname, '../..')

const chapter = (page: string, heading: string): string =>
  quote(page, new RegExp(`\n## ${heading}\n(.*?)(?=\n## |$)`, 's'))

/** @returns What a page of the documents says: the first group. @throws when it says so no longer. */
function quote(page: string, says: RegExp): string {
  const text = says.exec(page)?.[1]
  if (text === undefined) throw new Error(`The documents no longer say ${says}.`)
  return text
}

const documentOf = (path: string) => readFileSync(join(project, path), 'utf8')
/** As prose, whatever its lines are. */
const prose = (text: string) => text.replace(/\s+/g, ' ')

const readme = documentOf('README.md')
const install = chapter(readme, 'Add it to your store')
const carts = prose(chapter(readme, 'Bring carts back'))
const products = chapter(documentOf('docs/options.md'), 'Use the products of the official template')

/** The parameters of npm. */
export const installCommand = (tarball: string): string[] =>
  quote(install, /```sh\nnpm (install payload-storeconnect)\n```/)
    .replace('payload-storeconnect', tarball)
    .split(' ')

/** The commands of Payload that come after the files. */
export const payloadCommands = (): string[] =>
  [...install.matchAll(/`npx payload (generate:\w+)`/g)].map(([, command = '']) => command)

/** The URL for ShipStation, below the store's address. */
export const shippingPath = (): string =>
  quote(readme, /URL to custom XML page: `https:\/\/your-shop\.example(\/[^`]+)`/)

/** The Cart URL of a store that has no cart page. */
export const cartUrl = (): string =>
  quote(carts, /without a cart page, one that shows the cart, such as `([^`]+)`/)

/** Changes a store of the template's shape, on a version of Next.js, as the README tells its developer to. */
export function followReadme(store: string, nextVersion: string): void {
  const change = (path: string, how: (text: string) => string) => {
    const file = join(store, 'src', path)
    const text = readFileSync(file, 'utf8')
    const changed = how(text)
    if (changed === text) throw new Error(`Nothing in ${path} is to be changed.`)
    writeFileSync(file, changed)
  }
  const addImport = (path: string, line: string) => change(path, (text) => `${line}\n${text}`)

  const plugins = 'plugins/index.ts'
  const call = quote(install, /plugins: \[ecommercePlugin\(\{ … \}\), (storeConnect\(\))\]/)
  addImport(plugins, quote(install, /(import \{ storeConnect \} from '[^']+')/))
  change(plugins, (text) => text.replace(/\]\n$/, `  ${call},\n]\n`))

  for (const [path, text] of readmeFiles('app/(app)')) {
    mkdirSync(dirname(join(store, 'src', path)), { recursive: true })
    writeFileSync(join(store, 'src', path), text)
  }
  if (nextVersion.startsWith('15.')) {
    const [, file = '', name = ''] =
      /On Next\.js 15, call the file `([^`]+)` and the function `([^`]+)`/.exec(prose(readme)) ?? []
    renameSync(join(store, 'src/proxy.ts'), join(store, 'src', file))
    change(file, (text) => text.replace('const proxy', `const ${name}`))
  }

  const productFields = quote(products, /(\n *\.\.\.defaultCollection\.fields,\n.*?)\n *\],\n/s)
  change('collections/Products.ts', (text) =>
    text.replace(/\n *\.\.\.defaultCollection\.fields,/, productFields),
  )
  const callForProducts = quote(products, /export const plugin = (storeConnect\(.*?\))\n/s)
  change(plugins, (text) => text.replace(call, callForProducts))

  const seeded = quote(install, /`(const globals = [^`]+)`/)
  change('seed.ts', (text) => text.replace(/const globals: .*/, seeded))

  const entry = quote(carts, /Import `EcommerceProvider` from `([^`]+)`, not from/)
  const former = quote(carts, /Import `EcommerceProvider` from `[^`]+`, not from `([^`]+)`/)
  change('providers/index.tsx', (text) => text.replace(former, entry))
}
