import {
  arrayAround,
  findCall,
  lineOf,
  parse,
  withImport,
  withLastElement,
  withoutElement,
  withoutImport,
} from '../code.js'
import { ecommerce, type Product, type Project } from '../project.js'
import type { Step } from '../step.js'

const own = /^payload-storeconnect$/

/** Adds `storeConnect()` behind `ecommercePlugin()`, whose collections it extends. */
export const pluginStep: Step = {
  title: 'Add storeConnect() to the plugins',
  place(project) {
    const found = shopPlugin(project)
    return found && { file: found.file, line: lineOf(found.code, found.element) }
  },
  isDone: (project) => ownPlugin(project) !== undefined,
  apply(project) {
    const found = shopPlugin(project)
    if (!found) return
    const { file, code, array } = found
    const added = parse(project.compiler, file, withLastElement(code, array, pluginCall(project)))
    project.files.write(file, withImport(added, 'storeConnect', 'payload-storeconnect'))
  },
  undo(project) {
    const found = ownPlugin(project)
    if (!found) return
    const { file, code, array, element } = found
    const cleared = parse(project.compiler, file, withoutElement(code, array, element))
    project.files.write(file, withoutImport(cleared, 'storeConnect', 'payload-storeconnect'))
  },
  snippet: (project) => ({
    where: `${project.plugins ?? project.config}, as the last element of \`plugins\``,
    text: `import { storeConnect } from 'payload-storeconnect'\n\nplugins: [ecommercePlugin({ … }), ${pluginCall(project)}]`,
  }),
}

/** The products that the store has switched on; undefined when it has no Storeconnect yet. */
export function installedProducts(project: Project): ReadonlySet<Product> | undefined {
  const call = ownPlugin(project)?.element.getText()
  if (call === undefined) return undefined
  const products: Product[] = ['shipping', 'marketing']
  return new Set(products.filter((product) => !new RegExp(`\\b${product}: false`).test(call)))
}

function pluginCall({ products }: Project): string {
  const options: string[] = []
  if (!products.has('shipping')) options.push('shipping: false')
  if (!products.has('marketing')) options.push('marketing: false')
  return options.length === 0 ? 'storeConnect()' : `storeConnect({ ${options.join(', ')} })`
}

function shopPlugin(project: Project) {
  if (project.plugins === undefined) return undefined
  return arrayWith(project, project.plugins, { name: 'ecommercePlugin', from: ecommerce })
}

/** The call of ours, in the file of the plugins or in any other one. */
function ownPlugin(project: Project) {
  for (const file of project.sources) {
    if (project.files.read(file)?.includes('payload-storeconnect') !== true) continue
    const found = arrayWith(project, file, { name: 'storeConnect', from: own })
    if (found) return found
  }
  return undefined
}

/** The array of plugins that has a call of an imported function. */
function arrayWith(project: Project, file: string, { name, from }: { name: string; from: RegExp }) {
  const code = project.code(file)
  const call = code && findCall(code, name, from)
  const place = call && arrayAround(code, call)
  return place && { ...place, file, code }
}
