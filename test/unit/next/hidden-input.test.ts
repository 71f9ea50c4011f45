import { expect, it } from 'vitest'
import { hiddenInput } from '../../../src/http/html-page.js'
import { createPageForms } from '../../../src/next/page-forms.js'
import { createSignedRedirects } from '../../../src/http/redirect-target.js'

const secret = 'a-secret-of-the-test-store'

it('writes a hidden field, whatever its value holds', () => {
  expect(hiddenInput({ name: 'redirect', value: `"><script>alert('&')</script>` })).toBe(
    `<input type="hidden" name="redirect" value="&quot;&gt;&lt;script&gt;alert('&amp;')&lt;/script&gt;">`,
  )
})

it('signs redirects as the actions read them, and no others', () => {
  const forms = createPageForms(secret)(new Headers())
  const { name, value } = forms.redirectField('/thanks?for=news')
  expect(name).toBe('redirect')
  expect(createSignedRedirects({ secret }).read(value)).toBe('/thanks?for=news')
  expect(() => forms.redirectField('javascript:alert(1)')).toThrow(TypeError)
})
