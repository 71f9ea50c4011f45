import { describe, expect, it } from 'vitest'
import { prefersJson } from '../../../../src/core/http/request-headers.js'

const chrome =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8'

describe('prefersJson', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json, text/html;q=0.9',
    'text/html;q=0.8, application/json;q=0.9',
    'application/vnd.api+json',
    'text/html;q=0, application/json',
    'text/xml, application/json;q=0.1',
  ])('is true for Accept: %s', (accept) => {
    expect(prefersJson(new Headers({ accept }))).toBe(true)
  })

  it.each([
    chrome,
    '*/*',
    'application/*',
    'text/xml',
    '',
    'application/json;q=0.5, text/html',
    'application/json;q=0',
    'application/json;q=0.2, application/xhtml+xml;q=0.3',
    'application/jsonp',
    'text/json-ish',
    'application/json;q=high',
  ])('is false for Accept: %s', (accept) => {
    expect(prefersJson(new Headers({ accept }))).toBe(false)
  })

  it('is false without any header, and true for an XMLHttpRequest alone', () => {
    const requestedWith = (value: string) =>
      prefersJson(new Headers({ 'x-requested-with': value, accept: chrome }))
    expect(prefersJson(new Headers())).toBe(false)
    expect(requestedWith('xmlhttprequest')).toBe(true)
    expect(requestedWith('com.example.app')).toBe(false)
  })
})
