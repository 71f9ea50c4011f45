import type ts from 'typescript'
import {
  betweenElements,
  findFunction,
  findProperty,
  findSpread,
  insert,
  withoutElement,
  type Code,
} from '../code.js'
import { committed } from '../git.js'
import { findInSources, type Project } from '../project.js'
import type { Step } from '../step.js'
import { bare, inStyleOf } from './files.js'

/** What ShipStation shows of a product, and the extension's products lack. */
const fields = {
  sku: "{ name: 'sku', type: 'text' }",
  weight: "{ name: 'weight', type: 'number', min: 0 }",
  weightUnit: "{ name: 'weightUnit', type: 'select', options: ['g', 'kg', 'oz', 'lb'] }",
}
type FieldName = keyof typeof fields
const fieldNames = Object.keys(fields) as FieldName[]

/** Adds fields behind those of the extension, where the store has a function that changes the collection of products. */
export const productStep: Step = {
  title: 'Give products a SKU and a weight',
  question: 'Give products fields for a SKU and a weight, which ShipStation shows?',
  isMend: true,
  isNeeded: (project) => project.products.has('shipping') && findPlace(project) !== undefined,
  place: (project) => findPlace(project)?.file,
  isDone: (project) => missing(findPlace(project)?.code.text).length === 0,
  apply(project) {
    const place = findPlace(project)
    if (!place) return
    const { file, code, found: spread } = place
    const added = missing(code.text).map(
      (name) => `,${betweenElements(code, spread)}${inStyleOf(project, fields[name])}`,
    )
    project.files.write(file, insert(code.text, spread.end, added.join('')))
  },
  /** Fields may have values by now, so only those go that git does not have yet. */
  undo(project) {
    const before = committed(project.files.folder, findPlace(project)?.file ?? '')
    if (before === undefined) return
    for (const name of missing(before)) removeField(project, name)
  },
  snippet: () => ({
    task: 'Add these to the fields of your products:',
    text: fieldNames.map((name) => `${fields[name]},`).join('\n'),
  }),
}

const missing = (text = ''): FieldName[] =>
  fieldNames.filter((name) => !new RegExp(`\\bname: ['"]${name}['"]`).test(text))

function removeField(project: Project, name: FieldName): void {
  const place = findPlace(project)
  if (!place) return
  const { file, code, found: spread } = place
  const field = spread.parent.elements.find((each) => bare(each.getText()) === bare(fields[name]))
  if (field) project.files.write(file, withoutElement(code, spread.parent, field))
}

type Spread = ts.SpreadElement & { parent: ts.ArrayLiteralExpression }

/** `...defaultCollection.fields` in the function that the plugin calls, or in the one that it names. */
function findPlace(project: Project): { file: string; code: Code; found: Spread } | undefined {
  const option = 'productsCollectionOverride'
  const given = findInSources(project, option, (code) => findProperty(code, option))
  if (!given) return undefined
  const { file, code, found } = given
  if (!code.compiler.isIdentifier(found)) {
    const spread = findSpread(code, found, 'fields')
    return spread && { file, code, found: spread }
  }
  return findInSources(project, found.text, (other) => {
    const named = findFunction(other, found.text)
    return named && findSpread(other, named, 'fields')
  })
}
