import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Dialog } from '../../../src/installer/dialog.js'
import { runInstaller, type InstallerCommand } from '../../../src/installer/installer.js'
import { InstallerProblem } from '../../../src/installer/installer-problem.js'

export const project = join(import.meta.dirname, '../../..')

/** That of the folder. */
export const shopManifest = `{
  "name": "shop",
  "type": "module",
  "dependencies": {
    "@payloadcms/db-sqlite": "3.90.2",
    "@payloadcms/plugin-ecommerce": "3.90.2",
    "next": "16.4.5",
    "payload": "3.90.2",
    "react": "19.3.1"
  }
}
`

/** A folder like that of the official template, which the test may change: undefined deletes a file. */
export function shopFolder(changed: Record<string, string | undefined> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'storeconnect-shop-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(project, 'test/package/template'), folder, { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(project, 'node_modules/typescript'), join(folder, 'node_modules/typescript'))
  writeFileSync(join(folder, 'package-lock.json'), '{}\n')
  const files = { 'package.json': shopManifest, '.env': 'PAYLOAD_SECRET=secret\n', ...changed }
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    if (text === undefined) rmSync(file, { force: true })
    else writeFileSync(file, text)
  }
  return folder
}

/** All files of the folder with their texts. */
export function textsOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [relative(folder, file), readFileSync(file, 'utf8')]),
  )
}

/**
 * Runs a command of the installer, with every question answered, and without the commands of the store.
 *
 * @param options.failing The command of the store that fails.
 */
export async function install(
  folder: string,
  command: InstallerCommand,
  {
    given = ['--yes'],
    answer = true,
    failing,
  }: { given?: readonly string[]; answer?: boolean; failing?: string } = {},
) {
  const said: string[] = []
  const commands: string[] = []
  const dialog: Dialog = {
    say: (text) => said.push(text),
    confirm: () => Promise.resolve(answer),
    choose: () => Promise.resolve('shipping'),
    hasPerson: false,
    during(title) {
      const line = title.replace(/^.*?: /, '')
      commands.push(line)
      return line === failing
        ? Promise.reject(new InstallerProblem(`${line} failed`))
        : Promise.resolve('done' as never)
    },
  }
  const code = await runInstaller(command, { given, folder, dialog })
  return { code, said: said.join('\n'), commands }
}
