import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createForwards } from '../../../../src/core/http/form-action.js'
import { namesOwnAction, pathLimit } from '../../../../src/core/http/define-action.js'
import { propertyRuns, propertyTimeoutMs } from '../../../support/property-runs.js'

const ownPaths = ['marketingconnect/api/track', 'shippingconnect/orders/process']

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const percentOne = (text: string) =>
  text.replace(/[a-z/](?=[^a-z]|$)/, (character) => percent(character))
const moved = (text: string, to: number) =>
  text.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) - 0x61 + to))

describe('namesOwnAction', () => {
  it.each(ownPaths)('knows %s however it is spelled', (path) => {
    const spellings = [
      path,
      path.toUpperCase(),
      path.replace(/c/, 'C'),
      `/${path}`,
      `//${path}//`,
      path.replaceAll('/', '\\'),
      path.replaceAll('/', '//'),
      `./${path}`,
      `x/../${path}`,
      `users/login/../../${path}`,
      path.replace('/', '/./'),
      path.replace('/', ';a=b/'),
      `actions/${path}`,
      `/actions/actions/${path}/`,
      `api/actions/${path}`,
      `${path}?action=export`,
      `${path}#x`,
      `https://shop.example/actions/${path}`,
      percent(path),
      percent(path.slice(0, 5)).replaceAll('%', '%25') + path.slice(5),
      percent(path.slice(0, 5)).replaceAll('%', '%2525') + path.slice(5),
      percentOne(percentOne(path)),
      path.replaceAll('/', '%2f'),
      path.replaceAll('/', '%252F'),
      path.replaceAll('/', '%5c'),
      path.replaceAll('/', '%c0%af'),
      path.replace('c', '%00c'),
      path.replace('c', '\0c'),
      path.replace('c', '\u200bc'),
      path.replace('c', '\u00adc'),
      path.replace('c', '\ufe0fc'),
      path.replace('c', '\u3164c'),
      path.replace('c', '%e2%80%8bc'),
      path.replace('c', '\tc'),
      path.replace('c', '\u00a0c'),
      path.replace('e', 'é'),
      path.replace('e', 'e\u0301'),
      path.replace('i', 'ı'),
      path.replace('i', 'İ'),
      path.replace('s', 'ſ'),
      path.replace('k', '\u212a'),
      moved(path, 0xff41),
      moved(path, 0x24d0),
      moved(path, 0x1d41a),
      moved(path, 0x1d400),
      path.replace('/', '／'),
      `％${percent(path.slice(0, 1)).slice(1)}${path.slice(1)}`,
      path.replace('nn', '%6e%6E'),
    ]
    for (const spelling of spellings) {
      expect(spelling.length, spelling).toBeLessThanOrEqual(pathLimit)
      expect(namesOwnAction(spelling), spelling).toBe(true)
    }
  })

  it.each([
    'users/login',
    'users/logout',
    'commerce/cart/update-cart',
    'shop/marketing/connect',
    'shop/shipping',
    'shop/100%25-wool',
    '%',
    '%zz',
    '%ff',
    '',
    'größe/tee',
  ])('knows that %j is none', (path) => {
    expect(namesOwnAction(path)).toBe(false)
  })

  it('takes what is longer than any path for one, without decoding it', () => {
    expect(namesOwnAction('x'.repeat(pathLimit))).toBe(false)
    expect(namesOwnAction('x'.repeat(pathLimit + 1))).toBe(true)
    expect(namesOwnAction('%' + '25'.repeat(100_000))).toBe(true)
  })

  it(
    'knows its own in every mixture of spellings',
    () => {
      const asIs = (text: string) => text
      const letter = fc.constantFrom(
        asIs,
        percent,
        (text: string) => percent(percent(text)),
        (text: string) => text.toUpperCase(),
        (text: string) => `${text}\u200b`,
        (text: string) => `\u00ad${text}`,
        (text: string) => `${text}\u0301`,
        (text: string) => moved(text, 0xff41),
        (text: string) => `${text}%e2%80%8b`,
      )
      const around = fc.constantFrom('', '/', '//', '\\', './', '../', '%2f', 'actions/', 'x/../')
      const group = fc.constantFrom('marketingconnect', 'shippingconnect')
      const mixtures = group.chain((name) =>
        fc
          .tuple(
            around,
            fc.array(letter, { minLength: name.length, maxLength: name.length }),
            around,
          )
          .map(([before, spell, after]) => {
            const spelled = [...name].map((character, index) => spell[index]?.(character)).join('')
            return `${before}${spelled}${after}api/track`
          }),
      )
      fc.assert(
        fc.property(mixtures, (path) => {
          expect(namesOwnAction(path)).toBe(true)
        }),
        { numRuns: propertyRuns },
      )
    },
    propertyTimeoutMs,
  )
})

it('no post can be set up to be forwarded to an action of our own', () => {
  const actions = { 'marketingconnect/api/track': () => Promise.resolve(new Response()) }
  expect(() => createForwards({ actions })).toThrow(TypeError)
})
