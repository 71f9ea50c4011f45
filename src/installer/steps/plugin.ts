import {
  arrayAround,
  findCall,
  parse,
  withImport,
  withLastElement,
  withoutElement,
  withoutImport,
  type Export,
} from '../code.js'
import { findInSources, type Product, type Project } from '../project.js'
import type { Step } from '../step.js'

const shop = { name: 'ecommercePlugin', from: '@payloadcms/plugin-ecommerce' }
const own = { name: 'storeConnect', from: 'payload-storeconnect' }

/** Adds `storeConnect()` behind `ecommercePlugin()`, whose collections it extends. */
export const pluginStep: Step = {
  title: 'Add storeConnect() to the plugins',
  place: (project) => findPlugin(project, shop)?.file,
  isDone: (project) => findPlugin(project, own) !== undefined,
  apply(project) {
    const place = findPlugin(project, shop)
    if (!place) return
    const { file, code, found } = place
    const added = parse(
      project.compiler,
      file,
      withLastElement(code, found.array, pluginCall(project)),
    )
    project.files.write(file, withImport(added, own.name, own.from))
  },
  undo(project) {
    const place = findPlugin(project, own)
    if (!place) return
    const { file, code, found } = place
    const cleared = parse(project.compiler, file, withoutElement(code, found.array, found.element))
    project.files.write(file, withoutImport(cleared, own.name, own.from))
  },
  snippet: (project) => ({
    task: `In ${callOf(project, shop)?.file ?? project.config}, import the plugin and make it the last element of \`plugins\`:`,
    text: `import { storeConnect } from 'payload-storeconnect'\n\nplugins: [ecommercePlugin({ … }), ${pluginCall(project)}]`,
  }),
}

/** The products that the store has switched on; undefined when it has no Storeconnect yet. */
export function installedProducts(project: Project): ReadonlySet<Product> | undefined {
  const call = findPlugin(project, own)?.found.element.getText()
  if (call === undefined) return undefined
  const products: Product[] = ['shipping', 'marketing']
  return new Set(products.filter((product) => !new RegExp(`\\b${product}: false`).test(call)))
}

function pluginCall(project: Project): string {
  const { products } = project
  const options: string[] = []
  if (!products.has('shipping')) options.push('shipping: false')
  if (!products.has('marketing')) options.push('marketing: false')
  if (lacksProductFields(project)) options.push('addProductFields: true')
  return options.length === 0 ? 'storeConnect()' : `storeConnect({ ${options.join(', ')} })`
}

/** Whether ShipStation would get no SKU or weight. A store whose code names both fields has its own. */
export function lacksProductFields({ products, sources, files }: Project): boolean {
  const code = sources.map((path) => files.read(path) ?? '').join('\n')
  const hasFields = ['sku', 'weight'].every((name) =>
    new RegExp(`\\bname: ['"]${name}['"]`).test(code),
  )
  return products.has('shipping') && !hasFields && !code.includes('addProductFields')
}

const callOf = (project: Project, plugin: Export) =>
  findInSources(project, plugin.from, (code) => findCall(code, plugin))

/** The array of plugins that has a plugin, and the plugin's element. */
const findPlugin = (project: Project, plugin: Export) =>
  findInSources(project, plugin.from, (code) => {
    const call = findCall(code, plugin)
    return call && arrayAround(code, call)
  })
