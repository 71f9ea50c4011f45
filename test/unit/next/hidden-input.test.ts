import { expect, it } from 'vitest'
import { hiddenInput } from '../../../src/http/html-page.js'

it('writes a hidden field, whatever its value holds', () => {
  expect(hiddenInput({ name: 'redirect', value: `"><script>alert('&')</script>` })).toBe(
    `<input type="hidden" name="redirect" value="&quot;&gt;&lt;script&gt;alert('&amp;')&lt;/script&gt;">`,
  )
})
