import { importPath, type Project } from '../project.js'
import type { Step } from '../step.js'

interface AddedFile {
  title: string
  /** Its path without the ending. */
  path: (project: Project) => string
  /** One statement a line, without semicolons, in single quotes. */
  text: (project: Project) => string
}

/** A step that adds a file of its own. */
function fileStep({ title, path, text }: AddedFile): Step {
  const file = (project: Project) => `${path(project)}.${project.language}`
  return {
    title,
    place: file,
    isDone: (project) =>
      project.files.read(file(project))?.includes('payload-storeconnect/') === true,
    apply: (project) => project.files.write(file(project), inStyleOf(project, text(project))),
    undo(project) {
      const added = bare(text(project))
      if (bare(project.files.read(file(project)) ?? '') === added)
        project.files.remove(file(project))
    },
    snippet: (project) => ({ task: `Make the file ${file(project)}:`, text: text(project) }),
  }
}

/** Answers everything below `/actions/`. */
export const routeStep = fileStep({
  title: 'Add the route of the actions',
  path: ({ source }) => `${source}app/actions/[...path]/route`,
  text: (project) => `import config from '${configImport(project, routeStep)}'
import { actionRoutes } from 'payload-storeconnect/next'

export const { DELETE, GET, HEAD, PATCH, POST, PUT } = actionRoutes(config)
`,
})

/** Has the pieces for the store's own pages: inputs of forms, notices and the cart. */
export const pagesStep = fileStep({
  title: 'Add the pieces for pages',
  path: ({ source }) => `${source}storeconnect`,
  text: (project) => `import config from '${configImport(project, pagesStep)}'
import { storePages } from 'payload-storeconnect/next'

export const { CsrfInput, FormGuardInput, readBrowserCart, readNotices, RedirectInput } =
  storePages(config)
`,
})

/** How a file imports the config: by the alias that Payload's templates have, or by its path. */
function configImport(project: Project, step: Step): string {
  const hasAlias = ['tsconfig.json', 'jsconfig.json'].some((file) =>
    project.files.read(file)?.includes('"@payload-config"'),
  )
  return hasAlias ? '@payload-config' : importPath(step.place(project) ?? '', project.config)
}

/** A text with the semicolons and quotes of the store's config. */
export function inStyleOf({ files, config }: Project, text: string): string {
  const own = files.read(config) ?? ''
  const hasSemicolons = /^import .*;\s*$/m.test(own)
  const hasDoubleQuotes = /^import .*"/m.test(own)
  const quoted = hasDoubleQuotes ? text.replaceAll("'", '"') : text
  return hasSemicolons ? quoted.replace(/(?<=[^=\s{[,(])$(?=\n)/gm, ';') : quoted
}

/** A text without what a formatter changes. */
export const bare = (text: string): string => text.replace(/[;\s'",]/g, '')
