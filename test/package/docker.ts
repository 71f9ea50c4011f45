import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const page = readFileSync(join(import.meta.dirname, '../../docs/start.md'), 'utf8')

const block = (language: string): string => {
  const [, text] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page) ?? []
  if (text === undefined) throw new Error(`docs/start.md has no ${language}.`)
  return text
}

/** The `Dockerfile` of the documents. */
export const dockerfile = (): string => block('dockerfile')

/** The `compose.yaml` of the documents. */
export const composeFile = (): string => block('yaml')

/**
 * Copies what the image `shop` has of the folder of the store, which was built there.
 *
 * @returns The command that the image starts with.
 */
export function copyImage(store: string, image: string): string[] {
  const [, stage = ''] = dockerfile().split(/^FROM .* AS shop$/m)
  for (const [, from = '', to = ''] of stage.matchAll(
    /^COPY --from=build .*\/app\/(\S+) (\S+)$/gm,
  )) {
    // Links stay as they are, as in an image: otherwise they lead back into the store's folder.
    cpSync(join(store, from), join(image, to), { recursive: true, verbatimSymlinks: true })
  }
  const [, command = ''] = /^CMD (.*)$/m.exec(stage) ?? []
  return JSON.parse(command) as string[]
}
