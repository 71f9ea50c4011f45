import type ts from 'typescript'
import { cut, lineEnd, parse, withImport, withoutImport, type Code } from '../code.js'
import type { Project } from '../project.js'
import type { Step } from '../step.js'
import { bare, inStyleOf } from './files.js'

const entry = 'payload-storeconnect/proxy'
const ownCall = (given: string) => `visitorSession({ secret: process.env.PAYLOAD_SECRET${given} })`

/** Gives visitors a session with their first page. A proxy that the store has already runs inside of ours. */
export const proxyStep: Step = {
  title: 'Give visitors a session in the proxy',
  place(project) {
    const file = existing(project)
    if (file === undefined) return ownFile(project)
    return shopProxy(project, file) && file
  },
  isDone: (project) => {
    const file = existing(project)
    return file !== undefined && project.files.read(file)?.includes(entry) === true
  },
  apply(project) {
    const file = existing(project)
    if (file === undefined) {
      project.files.write(ownFile(project), inStyleOf(project, ownText(project)))
      return
    }
    const own = shopProxy(project, file)
    if (own) project.files.write(file, composed(project, file, own))
  },
  undo(project) {
    const file = existing(project)
    if (file === undefined) return
    const text = project.files.read(file) ?? ''
    if (bare(text) === bare(ownText(project))) project.files.remove(file)
    else project.files.write(file, taken(project, file, text))
  },
  snippet: (project) => {
    const file = existing(project)
    const name = functionName(project)
    return file === undefined
      ? { task: `Make the file ${ownFile(project)}:`, text: ownText(project) }
      : {
          task: `In ${file}, call your own function shopProxy, export it no longer, and add this:`,
          text: `import { visitorSession } from '${entry}'\n\nexport const ${name} = ${ownCall(', proxy: shopProxy')}`,
        }
  },
}

const functionName = ({ versionOf }: Project): 'proxy' | 'middleware' =>
  /^\D*15\./.test(versionOf('next') ?? '') ? 'middleware' : 'proxy'

const ownFile = (project: Project) =>
  `${project.source}${functionName(project)}.${project.language}`

const ownText = (project: Project) => `import { visitorSession } from '${entry}'

export const ${functionName(project)} = ${ownCall('')}

export const config = { matcher: ['/((?!(?:_next|actions|admin|api)(?:/|$)|.*\\\\.).*)'] }
`

function existing({ files, source }: Project): string | undefined {
  return ['proxy.ts', 'proxy.js', 'middleware.ts', 'middleware.js']
    .map((name) => source + name)
    .find((file) => files.has(file))
}

interface ShopProxy {
  code: Code
  /** The text before the function or value: `export async function proxy`. */
  head: { start: number; end: number }
  /** The same, without the export. */
  declaration: string
  /** What exports it then. */
  exported: string
}

const heads = /^export (default )?(?:(async )?function(?: (\w+))?|const (\w+) =)/

function shopProxy(project: Project, file: string): ShopProxy | undefined {
  const code = project.code(file)
  if (!code) return undefined
  const [found] = code.tree.statements.flatMap((statement) => headOf(code, statement) ?? [])
  return found
}

function headOf(code: Code, statement: ts.Statement): ShopProxy | undefined {
  const start = statement.getStart()
  const [text, isDefault, isAsync = '', name, constant] = heads.exec(code.text.slice(start)) ?? []
  if (text === undefined) return undefined
  const own = name ?? constant ?? ''
  if (isDefault === undefined && own !== 'proxy' && own !== 'middleware') return undefined
  const exports = isDefault === undefined ? `export const ${own} =` : 'export default'
  const inner = isDefault !== undefined && name !== undefined ? name : 'shopProxy'
  return {
    code,
    head: { start, end: start + text.length },
    declaration: constant === undefined ? `${isAsync}function ${inner}` : `const ${inner} =`,
    exported: `${exports} ${ownCall(`, proxy: ${inner}`)}`,
  }
}

function composed(
  project: Project,
  file: string,
  { code, head, declaration, exported }: ShopProxy,
) {
  const { text } = code
  const end = lineEnd(text)
  const semicolon = /^import .*;\s*$/m.test(text) ? ';' : ''
  const inner = text.slice(0, head.start) + declaration + text.slice(head.end)
  const whole = `${inner}${end}${exported}${semicolon}${end}`
  return withImport(parse(project.compiler, file, whole), 'visitorSession', entry)
}

/** Takes back what {@link composed} has made. */
function taken(project: Project, file: string, text: string): string {
  const last =
    /\r?\nexport (?:const (\w+) =|default) visitorSession\(\{[^}]*\bproxy: (\w+)\b[^}]*\}\);?\r?\n/.exec(
      text,
    )
  if (!last) return text
  const [, name, inner = ''] = last
  const ownName = name ?? (inner === 'shopProxy' ? undefined : inner)
  const plain = cut(text, last.index, last.index + last[0].length)
    .replace(
      new RegExp(`^(async )?function ${inner}`, 'm'),
      (_, isAsync: string | undefined) =>
        `export ${name === undefined ? 'default ' : ''}${isAsync ?? ''}function${ownName === undefined ? '' : ` ${ownName}`}`,
    )
    .replace(new RegExp(`^const ${inner} =`, 'm'), () => `export const ${name} =`)
  return withoutImport(parse(project.compiler, file, plain), 'visitorSession', entry)
}
