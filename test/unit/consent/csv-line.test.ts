import { expect, it } from 'vitest'
import { csvLine } from '../../../src/consent/csv-line.js'

it('quotes every value, and doubles quotes inside', () => {
  expect(csvLine(['plain', 'a,b', 'say "yes"', 'two\nlines', ''])).toBe(
    '"plain","a,b","say ""yes""","two\nlines",""\r\n',
  )
})

it('keeps a spreadsheet from running what follows a tab, which may separate', () => {
  expect(csvLine(['\t=1'])).toBe(`"'\t'=1"\r\n`)
})

it('keeps a spreadsheet from running what follows quotes, which are empty by another separator', () => {
  expect(csvLine(['x;"=1'])).toBe(`"x;'""=1"\r\n`)
})

it('leaves a dash between words as it is', () => {
  expect(csvLine(['Tea - coffee'])).toBe('"Tea - coffee"\r\n')
})

it.each(['=1+1', '+49 30 1', '-2', '@SUM(A1)', ' =1', '＝1'])(
  'keeps a spreadsheet from running %j',
  (value) => {
    expect(csvLine([value])).toBe(`"'${value}"\r\n`)
  },
)
