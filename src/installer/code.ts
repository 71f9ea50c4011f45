import type ts from 'typescript'

/** The compiler that the store has: only its parser is used. */
export type Compiler = typeof ts

/** A parsed file of the store. */
export interface Code {
  compiler: Compiler
  text: string
  tree: ts.SourceFile
}

export function parse(compiler: Compiler, path: string, text: string): Code {
  const { ScriptTarget } = compiler
  return { compiler, text, tree: compiler.createSourceFile(path, text, ScriptTarget.Latest, true) }
}

/** The first node, from the top, that the check takes. */
function findNode<Found extends ts.Node>(
  { compiler, tree }: Code,
  check: (node: ts.Node) => node is Found,
): Found | undefined {
  const visit = (node: ts.Node): Found | undefined =>
    check(node) ? node : compiler.forEachChild(node, visit)
  return visit(tree)
}

/** What a module exports. */
export interface Export {
  name: string
  from: string
}

/** The lists of names, in braces, that a file imports from a module. */
export const findImports = ({ compiler, tree }: Code, from: string): ts.NamedImports[] =>
  tree.statements.flatMap((statement) => {
    if (!compiler.isImportDeclaration(statement)) return []
    const { moduleSpecifier, importClause } = statement
    if (!compiler.isStringLiteral(moduleSpecifier) || moduleSpecifier.text !== from) return []
    const names = importClause?.namedBindings
    return names && compiler.isNamedImports(names) ? [names] : []
  })

/** How a file imports something: `name`, or `name as another`. */
export const findImport = (code: Code, { name, from }: Export): ts.ImportSpecifier | undefined =>
  findImports(code, from)
    .flatMap(({ elements }) => [...elements])
    .find((each) => (each.propertyName ?? each.name).text === name)

/** The same import from another module: what was imported beside it stays where it is. */
export function withOtherSource(code: Code, specifier: ts.ImportSpecifier, from: string): string {
  const names = specifier.parent
  const { moduleSpecifier } = names.parent.parent
  if (names.elements.length === 1) {
    const text = cut(code.text, moduleSpecifier.getStart() + 1, moduleSpecifier.end - 1)
    return insert(text, moduleSpecifier.getStart() + 1, from)
  }
  const left = withoutElement(code, names, specifier)
  return withImport(parse(code.compiler, 'code.tsx', left), specifier.getText(), from)
}

/** The call of a function that the file imports. */
export function findCall(code: Code, imported: Export): ts.CallExpression | undefined {
  const { compiler } = code
  const name = findImport(code, imported)?.name.text
  return findNode(
    code,
    (node): node is ts.CallExpression =>
      compiler.isCallExpression(node) && node.expression.getText() === name,
  )
}

/**
 * The array that has the call: in place, or by the name of a constant of the same file.
 *
 * @returns The array and its element; undefined when the call is elsewhere.
 */
export function arrayAround(code: Code, call: ts.CallExpression) {
  const { compiler } = code
  if (compiler.isArrayLiteralExpression(call.parent)) return { array: call.parent, element: call }
  if (!compiler.isVariableDeclaration(call.parent)) return undefined
  const name = call.parent.name.getText()
  const element = findNode(
    code,
    (node): node is ts.Identifier =>
      compiler.isIdentifier(node) &&
      node.text === name &&
      compiler.isArrayLiteralExpression(node.parent),
  )
  if (!element || !compiler.isArrayLiteralExpression(element.parent)) return undefined
  return { array: element.parent, element }
}

/** What stands between a comma and an element: a line of its own, or a space. */
function betweenElements({ text }: Code, element: ts.Expression): string {
  const lead = /^\s*/.exec(text.slice(element.getFullStart()))?.[0] ?? ''
  return /\r?\n[^\n]*$/.exec(lead)?.[0] ?? ' '
}

/** Adds an element at the end of an array, in the array's own style. */
export function withLastElement(code: Code, array: ts.ArrayLiteralExpression, added: string) {
  const { text } = code
  const last = array.elements.at(-1)
  if (!last) return insert(text, array.getStart() + 1, added)
  const between = betweenElements(code, last)
  return array.elements.hasTrailingComma
    ? insert(text, array.elements.end, `${between}${added},`)
    : insert(text, last.end, `,${between}${added}`)
}

/** Takes an element out of an array or a list of imports: what {@link withLastElement} has added, to the byte. */
export function withoutElement(
  { text }: Code,
  { elements }: ts.ArrayLiteralExpression | ts.NamedImports,
  gone: ts.Node,
) {
  const index = elements.findIndex((each) => each === gone)
  const commaAfter = (position: number) => {
    const comma = /^\s*,/.exec(text.slice(position))?.[0]
    return comma === undefined ? position : position + comma.length
  }
  const before = elements[index - 1]
  if (!before) return cut(text, gone.getFullStart(), commaAfter(gone.end))
  const hasCommaAfter = commaAfter(gone.end) > gone.end
  return cut(
    text,
    hasCommaAfter ? commaAfter(before.end) : before.end,
    hasCommaAfter ? commaAfter(gone.end) : gone.end,
  )
}

/** Adds an import after the last one, in the style of the file. */
export function withImport(code: Code, names: string, from: string): string {
  const { compiler, text, tree } = code
  const imports = tree.statements.filter((each) => compiler.isImportDeclaration(each))
  const last = imports.at(-1)
  const quote =
    last && compiler.isStringLiteral(last.moduleSpecifier)
      ? (last.moduleSpecifier.getText()[0] ?? "'")
      : "'"
  const semicolon = last?.getText().endsWith(';') ? ';' : ''
  const line = `import { ${names} } from ${quote}${from}${quote}${semicolon}`
  const end = lineEnd(text)
  return last ? insert(text, last.end, `${end}${line}`) : insert(text, 0, `${line}${end}`)
}

/** Takes out an import that has these names and no others. */
export function withoutImport({ compiler, text, tree }: Code, names: string, from: string): string {
  const found = tree.statements.find((statement) => {
    if (!compiler.isImportDeclaration(statement)) return false
    const { moduleSpecifier, importClause } = statement
    return (
      compiler.isStringLiteral(moduleSpecifier) &&
      moduleSpecifier.text === from &&
      importClause?.namedBindings?.getText().replace(/[{}\s]/g, '') === names.replace(/\s/g, '')
    )
  })
  if (!found) return text
  const isFirst = found.getStart() === 0
  const end = lineEnd(text)
  return isFirst
    ? cut(text, 0, found.end + end.length)
    : cut(text, found.getStart() - end.length, found.end)
}

export const lineEnd = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

export const insert = (text: string, at: number, added: string): string =>
  text.slice(0, at) + added + text.slice(at)

export const cut = (text: string, from: number, to: number): string =>
  text.slice(0, from) + text.slice(to)
