import type ts from 'typescript'
import { minVersion, satisfies } from 'semver'
import { cut, insert, parse, type Compiler } from '../code.js'
import { committed } from '../git.js'
import { ownPackage } from '../own-package.js'
import type { Manifest, Project } from '../project.js'
import type { Step } from '../step.js'
import { addPackage, lineOf } from '../store-commands.js'

const manifestFile = 'package.json'
const ownName = 'payload-storeconnect'

/** Adds the package to the dependencies, among which it stands by the alphabet. */
export const dependencyStep: Step = {
  title: 'Add payload-storeconnect to the dependencies',
  place: () => manifestFile,
  isDone: ({ files }) => files.read(manifestFile)?.includes(`"${ownName}":`) === true,
  apply(project) {
    changeManifest(project, (text, { properties }, compiler) => {
      const entry = `"${ownName}": "${project.packageVersion}"`
      const next = properties.find((each) => nameOf(each, compiler) > ownName)
      const last = properties.at(-1)
      if (next)
        return insert(
          text,
          next.getStart(),
          `${entry},${text.slice(next.getFullStart(), next.getStart())}`,
        )
      if (!last) return text
      return insert(text, last.end, `,${text.slice(last.getFullStart(), last.getStart())}${entry}`)
    })
  },
  undo(project) {
    changeManifest(project, (text, { properties }, compiler) => {
      const index = properties.findIndex((each) => nameOf(each, compiler) === ownName)
      const [before, own, next] = [properties[index - 1], properties[index], properties[index + 1]]
      if (!own) return text
      if (next) return cut(text, own.getStart(), next.getStart())
      return cut(text, before?.end ?? own.getFullStart(), own.end)
    })
  },
  snippet: (project) => ({
    task: 'Run this in a terminal:',
    text: lineOf(addPackage(project, `${ownName}@${project.packageVersion}`)),
  }),
}

const raisedNext = '^16.3.3'

/** Raises Next.js where the store's is older than Payload and Storeconnect allow. */
export const nextStep: Step = {
  title: `Raise Next.js to ${raisedNext}`,
  isMend: true,
  isNeeded: (project) => nextOf(project) !== undefined,
  place: () => manifestFile,
  isDone: (project) => {
    const version = minVersion(nextOf(project) ?? '')
    return version !== null && satisfies(version, ownPackage().peerDependencies.next)
  },
  apply: (project) => {
    for (const name of raisedNames) setVersion(project, name, raisedNext)
  },
  /** A version that git has stays: the store runs well on it without Storeconnect, too. */
  undo: (project) => {
    const before = committedManifest(project)
    for (const name of raisedNames) {
      const version = before[name]
      if (version !== undefined) setVersion(project, name, version)
    }
  },
  snippet: (project) => ({
    task: 'Run this in a terminal:',
    text: lineOf(addPackage(project, `next@${raisedNext}`)),
  }),
}

/** They have the version of Next.js, or do not work with another one. */
const raisedNames = ['next', 'eslint-config-next']

/** The installed version, or the range of the manifest; undefined when the store has no Next.js. */
const nextOf = ({ files, versionOf }: Project) => {
  const asked = /"next": "([^"]+)"/.exec(files.read(manifestFile) ?? '')?.[1]
  return asked === raisedNext ? asked : asked && versionOf('next')
}

function setVersion(project: Project, name: string, version: string): void {
  for (const group of ['dependencies', 'devDependencies'] as const) {
    changeManifest(
      project,
      (text, { properties }, compiler) => {
        const own = properties.find((each) => nameOf(each, compiler) === name)
        if (!own || !compiler.isPropertyAssignment(own)) return text
        const { initializer } = own
        return text.slice(0, initializer.getStart()) + `"${version}"` + text.slice(initializer.end)
      },
      group,
    )
  }
}

function committedManifest({ files }: Project): Record<string, string> {
  const text = committed(files.folder, manifestFile)
  if (text === undefined) return {}
  const { dependencies, devDependencies } = JSON.parse(text) as Manifest
  return { ...devDependencies, ...dependencies }
}

const nameOf = (property: ts.ObjectLiteralElementLike, compiler: Compiler): string =>
  property.name && compiler.isStringLiteral(property.name) ? property.name.text : ''

function changeManifest(
  { files, compiler }: Project,
  change: (text: string, group: ts.ObjectLiteralExpression, compiler: Compiler) => string,
  group: 'dependencies' | 'devDependencies' = 'dependencies',
): void {
  const text = files.read(manifestFile) ?? ''
  const { tree } = parse(compiler, manifestFile, text)
  const [statement] = tree.statements
  if (!statement || !compiler.isExpressionStatement(statement)) return
  if (!compiler.isObjectLiteralExpression(statement.expression)) return
  const found = statement.expression.properties.find((each) => nameOf(each, compiler) === group)
  if (!found || !compiler.isPropertyAssignment(found)) return
  if (!compiler.isObjectLiteralExpression(found.initializer)) return
  files.write(manifestFile, change(text, found.initializer, compiler))
}
