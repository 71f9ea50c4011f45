import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const readme = join(import.meta.dirname, '../../README.md')

/**
 * The files that the README tells a store's developer to make, by their paths: its code blocks that
 * start with a path and are whole, and a page with its form.
 */
export function readmeFiles(formPage = 'app/page.tsx'): Map<string, string> {
  const files = new Map<string, string>()
  for (const [, text = ''] of readFileSync(readme, 'utf8').matchAll(/```tsx?\n(.*?)```/gs)) {
    const path = /^\/\/ (\S+)\n/.exec(text)?.[1]
    if (path !== undefined && !text.includes('…')) files.set(path, text)
    if (text.startsWith('<form')) files.set(formPage, pageWith(text, dirname(formPage)))
  }
  return files
}

function pageWith(form: string, directory: string): string {
  const components = [...form.matchAll(/<([A-Z]\w+)/g)].map(([, name]) => name)
  return `import { ${components.join(', ')} } from '${relative(directory, 'storeconnect')}'

export default function Page() {
  return (
    ${form}
  )
}
`
}
