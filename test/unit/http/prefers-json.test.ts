import { describe, expect, it } from 'vitest'
import { prefersJson } from '../../../src/http/request-headers.js'

const chrome =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8'
const firefox = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

describe('prefersJson', () => {
  it.each([
    ['application/json'],
    ['Application/JSON'],
    ['application/json; charset=utf-8'],
    ['application/json, text/plain, */*'],
    ['application/json, text/html;q=0.9'],
    ['text/html;q=0.8, application/json;q=0.9'],
    ['application/problem+json'],
    ['application/vnd.api+json'],
    ['text/html;q=0, application/json'],
    ['text/xml, application/json;q=0.1'],
  ])('is true for Accept: %s', (accept) => {
    expect(prefersJson(new Headers({ accept }))).toBe(true)
  })

  it.each([
    [chrome],
    [firefox],
    ['text/html'],
    ['*/*'],
    ['application/*'],
    ['text/xml'],
    [''],
    ['application/json;q=0.5, text/html'],
    ['application/json;q=0'],
    ['application/json;q=0.2, application/xhtml+xml;q=0.3'],
    ['application/jsonp'],
    ['text/json-ish'],
    ['application/json;q=high'],
  ])('is false for Accept: %s', (accept) => {
    expect(prefersJson(new Headers({ accept }))).toBe(false)
  })

  it('is false without any header: an error is an HTML page by default', () => {
    expect(prefersJson(new Headers())).toBe(false)
  })

  it.each(['XMLHttpRequest', 'xmlhttprequest'])('is true for X-Requested-With: %s', (value) => {
    expect(prefersJson(new Headers({ 'x-requested-with': value, accept: chrome }))).toBe(true)
  })

  it('is false for another X-Requested-With', () => {
    expect(prefersJson(new Headers({ 'x-requested-with': 'com.example.app' }))).toBe(false)
  })
})
