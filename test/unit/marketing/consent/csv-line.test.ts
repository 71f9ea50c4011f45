import { expect, it } from 'vitest'
import { csvLine } from '../../../../src/marketing/consent/consent-proof.js'

it('quotes every value, and doubles quotes inside', () => {
  expect(csvLine(['plain', 'a,b', 'say "yes"', 'two\nlines', 'Tea - coffee', ''])).toBe(
    '"plain","a,b","say ""yes""","two\nlines","Tea - coffee",""\r\n',
  )
})

it.each([
  ...['=1+1', '+49 30 1', '-2', '@SUM(A1)', ' =1', '＝1'].map((value) => [value, `'${value}`]),
  // A tab may separate, and quotes are empty by another separator.
  ['\t=1', "'\t'=1"],
  ['x;"=1', `x;'""=1`],
])('keeps a spreadsheet from running %j', (value, written) => {
  expect(csvLine([value])).toBe(`"${written}"\r\n`)
})
