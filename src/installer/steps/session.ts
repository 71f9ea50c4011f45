import {
  findImport,
  findImports,
  insert,
  parse,
  withoutImport,
  withOtherSource,
  type Export,
} from '../code.js'
import { findInSources, type Project } from '../project.js'
import type { Step } from '../step.js'

const name = 'EcommerceProvider'
const payloads = { name, from: '@payloadcms/plugin-ecommerce/client/react' }
const own = { name, from: 'payload-storeconnect/react' }

/** Shows the cart of the visitor's session, such as a restored one, and the notices about it. */
export const sessionStep: Step = {
  title: 'Show restored carts and notices on the pages',
  place: (project) => find(project, payloads)?.file,
  isDone: (project) => find(project, own) !== undefined,
  apply(project) {
    const place = find(project, payloads)
    if (place) project.files.write(place.file, withOtherSource(place.code, place.found, own.from))
  },
  undo(project) {
    const place = find(project, own)
    if (!place) return
    const { file, code, found } = place
    const lists = findImports(code, payloads.from)
    const beside = lists.find(({ parent }) => !parent.isTypeOnly)?.elements[0]
    if (!beside) {
      project.files.write(file, withOtherSource(code, found, payloads.from))
      return
    }
    // Lists of names are sorted, and begin with capitals.
    const text = insert(code.text, beside.getStart(), `${found.getText()}, `)
    const joined = parse(project.compiler, file, text)
    project.files.write(file, withoutImport(joined, found.getText(), own.from))
  },
  snippet: () => ({
    task: 'Where your pages import the EcommerceProvider, import it like this instead:',
    text: `import { ${name} } from '${own.from}'`,
  }),
}

const find = (project: Project, element: Export) =>
  findInSources(project, element.from, (code) => findImport(code, element))
