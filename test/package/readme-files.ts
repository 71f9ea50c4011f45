import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const readme = join(import.meta.dirname, '../../README.md')

/**
 * The files that the README tells a store's developer to make, by their paths: its code blocks that
 * start with a path and are whole, and a page with its form.
 */
export function readmeFiles(): Map<string, string> {
  const files = new Map<string, string>()
  for (const [, text = ''] of readFileSync(readme, 'utf8').matchAll(/```tsx?\n(.*?)```/gs)) {
    const path = /^\/\/ (\S+)\n/.exec(text)?.[1]
    if (path !== undefined && !text.includes('…')) files.set(path, text)
    if (text.startsWith('<form')) files.set('app/page.tsx', pageWith(text))
  }
  return files
}

function pageWith(form: string): string {
  const components = [...form.matchAll(/<([A-Z]\w+)/g)].map(([, name]) => name)
  return `import { ${components.join(', ')} } from '../storeconnect'

export default function Page() {
  return (
    ${form}
  )
}
`
}
