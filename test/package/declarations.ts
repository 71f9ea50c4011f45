import ts from 'typescript'

/** What the declarations of the package say to the compiler of a store. */
export interface Declarations {
  /** The names that an entry exports, types too. */
  exportsOf(file: string): string[]
  /** The members of a type that an entry exports. */
  membersOf(file: string, type: string): string[]
  /** The members of what a function returns that an entry exports. */
  piecesOf(file: string, name: string): string[]
}

/** @param program With the declaration files of the package's entries. */
export function readDeclarations(program: ts.Program): Declarations {
  const checker = program.getTypeChecker()

  function symbolsOf(file: string): ts.Symbol[] {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (module === undefined) throw new Error(`${file} is no module.`)
    return checker.getExportsOfModule(module)
  }

  function symbolOf(file: string, name: string): ts.Symbol {
    const symbol = symbolsOf(file).find((each) => each.name === name)
    if (symbol === undefined) throw new Error(`${file} exports no ${name}.`)
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  }

  const namesOf = (type: ts.Type | undefined) => type?.getProperties().map(({ name }) => name) ?? []

  return {
    exportsOf: (file) => symbolsOf(file).map(({ name }) => name),
    membersOf: (file, type) => namesOf(checker.getDeclaredTypeOfSymbol(symbolOf(file, type))),
    piecesOf: (file, name) =>
      namesOf(
        checker.getTypeOfSymbol(symbolOf(file, name)).getCallSignatures()[0]?.getReturnType(),
      ),
  }
}
