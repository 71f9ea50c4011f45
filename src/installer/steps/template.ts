import { committed } from '../git.js'
import type { Project } from '../project.js'
import type { Step } from '../step.js'

/** A text of Payload's ecommerce template that does not compile. */
interface Mend {
  file: string
  from: string
  to: string
  /** Whether this store needs it. Default: where the text is. */
  isNeeded?: (project: Project) => boolean
}

const callbacks = ['src/components/Cart/CartModal.tsx', 'src/components/checkout/CheckoutPage.tsx']

/** They fail with Payload 3.90, with or without Storeconnect. */
const mends: Mend[] = [
  {
    file: 'src/utilities/generatePreviewPath.ts',
    from: '@/app/(frontend)/next/preview/route',
    to: '@/app/(app)/next/preview/route',
    isNeeded: ({ files }) => files.has('src/app/(app)/next/preview/route.ts'),
  },
  {
    file: 'src/utilities/generatePreviewPath.ts',
    from: "posts: '/posts'",
    to: "products: '/products'",
  },
  ...callbacks.flatMap((file) => [
    { file, from: 'gallery?.find((item) =>', to: 'gallery?.find((item: any) =>' },
    { file, from: 'options?.some((option) =>', to: 'options?.some((option: any) =>' },
    { file, from: '?.map((option) =>', to: '?.map((option: any) =>' },
  ]),
]

export const templateStep: Step = {
  title: "Mend the lines of Payload's template that do not compile",
  isMend: true,
  question:
    "Mend the lines of Payload's template that do not compile, with or without Storeconnect?",
  isNeeded: ({ isTemplate }) => isTemplate,
  place: (project) => {
    const [mend] = mends.filter((each) => has(project, each, 'from') || has(project, each, 'to'))
    return mend?.file
  },
  isDone: (project) => !mends.some((mend) => has(project, mend, 'from')),
  apply: (project) => replaceAll(project, ['from', 'to']),
  /** What git has already stays: the template compiles with it. */
  undo: (project) =>
    replaceAll(project, ['to', 'from'], (mend) =>
      committed(project.files.folder, mend.file)?.includes(mend.from),
    ),
  snippet: (project) => ({
    task: 'Change these texts of the template from - to +:',
    text: mends
      .filter((mend) => has(project, mend, 'from'))
      .map(({ file, from, to }) => `${file}\n- ${from}\n+ ${to}`)
      .join('\n'),
  }),
}

/** The settings are globals, so the exact type is needed where a seed lists all globals. */
const tooNarrow = /const globals: GlobalSlug\[\] = (\[[^\]]*\])/
const exact = /const globals = (\[[^\]]*\]) as const satisfies GlobalSlug\[\]/

function seedOf({ files, sources }: Project): string | undefined {
  return sources.find((path) => {
    const text = files.read(path) ?? ''
    return tooNarrow.test(text) || exact.test(text)
  })
}

export const seedStep: Step = {
  title: "Give the seed's list of globals its exact type",
  isMend: true,
  isNeeded: (project) => seedOf(project) !== undefined,
  place: seedOf,
  isDone: (project) => exact.test(project.files.read(seedOf(project) ?? '') ?? ''),
  apply(project) {
    const file = seedOf(project) ?? ''
    const text = project.files.read(file) ?? ''
    project.files.write(
      file,
      text.replace(tooNarrow, 'const globals = $1 as const satisfies GlobalSlug[]'),
    )
  },
  undo(project) {
    const file = seedOf(project) ?? ''
    if (!tooNarrow.test(committed(project.files.folder, file) ?? '')) return
    const text = project.files.read(file) ?? ''
    project.files.write(file, text.replace(exact, 'const globals: GlobalSlug[] = $1'))
  },
  snippet: () => ({
    task: 'Write the list of globals in your seed like this:',
    text: "const globals = ['header', 'footer'] as const satisfies GlobalSlug[]",
  }),
}

const has = (project: Project, { file, isNeeded, ...mend }: Mend, side: 'from' | 'to') =>
  project.files.read(file)?.includes(mend[side]) === true && isNeeded?.(project) !== false

function replaceAll(
  project: Project,
  [from, to]: ['from' | 'to', 'from' | 'to'],
  isWanted: (mend: Mend) => boolean | undefined = () => true,
): void {
  for (const mend of mends) {
    if (!has(project, mend, from) || isWanted(mend) !== true) continue
    const text = project.files.read(mend.file) ?? ''
    project.files.write(
      mend.file,
      text.replace(mend[from], () => mend[to]),
    )
  }
}
