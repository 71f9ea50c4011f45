/** What stops a command of the installer, as a sentence for its user. */
export class InstallerProblem extends Error {
  override readonly name = 'InstallerProblem'
}
