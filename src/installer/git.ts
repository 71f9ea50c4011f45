import { execFileSync } from 'node:child_process'

/** Files with changes that git does not have yet; undefined where there is no repository. */
export const uncommittedFiles = (folder: string): string[] | undefined =>
  git(folder, 'status', '--porcelain', '--', '.')
    ?.split('\n')
    .filter((line) => line !== '')

/** A file as it is in the last commit; undefined when git does not have it. */
export const committed = (folder: string, path: string): string | undefined =>
  git(folder, 'show', `HEAD:./${path}`)

/** What git prints in a folder; undefined where it fails, as without a repository. */
function git(cwd: string, ...parameters: string[]): string | undefined {
  try {
    return execFileSync('git', parameters, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return undefined
  }
}
