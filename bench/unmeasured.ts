/** A figure: a goal that is met or missed, or a number with its unit; then what it is of. */
const figure = /^ {2,}(?:met|MISSED|-?\d\S*)(?: \S+)* {2,}\S/m

/** The headings in what a bench has printed that no figure is under. Blank lines are between them. */
export const unmeasured = (output: string): string[] =>
  output
    .replace(/^\n+|\n+$/g, '')
    .split(/\n{2,}/)
    .filter((part) => !figure.test(part))
    .map((part) => part.split('\n', 1).join())
