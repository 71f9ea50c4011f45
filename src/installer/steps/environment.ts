import { lineEnd } from '../code.js'
import type { Project } from '../project.js'
import type { Step } from '../step.js'

/** Adds the names of the variables to which the settings may refer. A value is never written. */
export const environmentStep: Step = {
  title: 'Name the variables for passwords',
  isNeeded: (project) => environmentFiles(project).length > 0,
  place: (project) => environmentFiles(project)[0],
  isDone: (project) =>
    environmentFiles(project).every((file) => missing(project, file).length === 0),
  apply(project) {
    for (const file of environmentFiles(project)) {
      const text = project.files.read(file) ?? ''
      const end = lineEnd(text)
      const added = missing(project, file)
        .map((name) => `${name}=`)
        .join(end)
      if (added === '') continue
      project.files.write(
        file,
        /\n$|^$/.test(text) ? `${text}${added}${end}` : `${text}${end}${added}`,
      )
    }
  },
  /** A variable that has a value stays: it is the merchant's. */
  undo(project) {
    for (const file of environmentFiles(project)) {
      let text = project.files.read(file) ?? ''
      for (const name of names(project)) {
        text = text.replace(new RegExp(`^${name}=\\r?\\n|\\r?\\n${name}=$`, 'm'), '')
      }
      project.files.write(file, text)
    }
  },
  snippet: (project) => ({
    task: 'Add these lines to .env:',
    text: names(project)
      .map((name) => `${name}=`)
      .join('\n'),
  }),
}

const environmentFiles = ({ files }: Project) =>
  ['.env', '.env.example'].filter((file) => files.has(file))

const names = ({ products }: Project) => [
  ...(products.has('shipping') ? ['SHIPSTATION_PASSWORD'] : []),
  ...(products.has('marketing') ? ['KLAVIYO_API_KEY'] : []),
]

const missing = (project: Project, file: string) =>
  names(project).filter(
    (name) => !new RegExp(`^${name}=`, 'm').test(project.files.read(file) ?? ''),
  )
