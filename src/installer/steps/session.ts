import {
  cut,
  findElement,
  indentOf,
  insert,
  lineEnd,
  parse,
  withImport,
  withoutImport,
  type Export,
} from '../code.js'
import { findInSources, type Project } from '../project.js'
import type { Step } from '../step.js'

const provider = {
  name: 'EcommerceProvider',
  from: '@payloadcms/plugin-ecommerce/client/react',
}
const own = { name: 'StoreSession', from: 'payload-storeconnect/react' }

/** Shows the cart of the visitor's session, such as a restored one, and the notices about it. */
export const sessionStep: Step = {
  title: 'Show restored carts and notices on the pages',
  place: (project) => find(project, provider)?.file,
  isDone: (project) => find(project, own) !== undefined,
  apply(project) {
    const place = find(project, provider)
    if (!place) return
    const { file, code, found: element } = place
    const lead = lineEnd(code.text) + indentOf(code, element)
    const closed = insert(code.text, element.end, `${lead}</StoreSession>`)
    const text = insert(closed, element.getStart(), `<StoreSession>${lead}`)
    project.files.write(file, withImport(parse(project.compiler, file, text), own.name, own.from))
  },
  undo(project) {
    const place = find(project, own)
    if (!place) return
    const { file, code, found: element } = place
    const { openingElement, closingElement } = element
    const inside = code.text.slice(openingElement.end, closingElement.getStart())
    const text = cut(code.text, element.getStart(), element.end)
    const bare = insert(text, element.getStart(), inside.trim())
    project.files.write(
      file,
      withoutImport(parse(project.compiler, file, bare), own.name, own.from),
    )
  },
  snippet: () => ({
    where: 'around the EcommerceProvider of your pages',
    text: `import { StoreSession } from '${own.from}'

<StoreSession>
  <EcommerceProvider>{children}</EcommerceProvider>
</StoreSession>`,
  }),
}

const find = (project: Project, element: Export) =>
  findInSources(project, element.from, (code) => findElement(code, element))
