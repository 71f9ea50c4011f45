/** What stops a command of the installer, as a sentence for its user. */
export class InstallerProblem extends Error {
  override readonly name: string = 'InstallerProblem'
}

/** What the installer leaves to a person. */
export class LeftByHand extends InstallerProblem {
  override readonly name = 'LeftByHand'
}
