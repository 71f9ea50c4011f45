import {
  cut,
  findElement,
  indentOf,
  insert,
  lineEnd,
  lineOf,
  parse,
  withImport,
  withoutImport,
} from '../code.js'
import type { Project } from '../project.js'
import type { Step } from '../step.js'

const provider = /^@payloadcms\/plugin-ecommerce\/client\/react$/
const entry = 'payload-storeconnect/react'
const own = /^payload-storeconnect\/react$/

/** Shows the cart of the visitor's session, such as a restored one, and the notices about it. */
export const sessionStep: Step = {
  title: 'Show restored carts and notices on the pages',
  place(project) {
    const found = find(project, 'EcommerceProvider', provider)
    return found && { file: found.file, line: lineOf(found.code, found.element) }
  },
  isDone: (project) => find(project, 'StoreSession', own) !== undefined,
  apply(project) {
    const found = find(project, 'EcommerceProvider', provider)
    if (!found) return
    const { file, code, element } = found
    const lead = lineEnd(code.text) + indentOf(code, element)
    const closed = insert(code.text, element.end, `${lead}</StoreSession>`)
    const text = insert(closed, element.getStart(), `<StoreSession>${lead}`)
    project.files.write(
      file,
      withImport(parse(project.compiler, file, text), 'StoreSession', entry),
    )
  },
  undo(project) {
    const found = find(project, 'StoreSession', own)
    if (!found) return
    const { file, code, element } = found
    const { openingElement, closingElement } = element
    const inside = code.text.slice(openingElement.end, closingElement.getStart())
    const text = cut(code.text, element.getStart(), element.end)
    const bare = insert(text, element.getStart(), inside.trim())
    project.files.write(
      file,
      withoutImport(parse(project.compiler, file, bare), 'StoreSession', entry),
    )
  },
  snippet: () => ({
    where: 'around the EcommerceProvider of your pages',
    text: `import { StoreSession } from '${entry}'

<StoreSession>
  <EcommerceProvider>{children}</EcommerceProvider>
</StoreSession>`,
  }),
}

function find(project: Project, name: string, from: RegExp) {
  for (const file of project.sources) {
    if (project.files.read(file)?.includes(name) !== true) continue
    const code = project.code(file)
    const element = code && findElement(code, name, from)
    if (element) return { file, code, element }
  }
  return undefined
}
