import { describe, expect, it } from 'vitest'
import { wordsOf } from '../../../../src/marketing/product-feed/public-products.js'

const text = (words: string) => ({ type: 'text', text: words })

describe('The words of a text', () => {
  const link = { type: 'link', children: [text('leaf')] }
  const paragraph = { type: 'paragraph', children: [text('fresh '), link, text('s')] }
  const lines = [text('one'), { type: 'linebreak' }, text('two')]
  const list = { type: 'list', children: [{ type: 'listitem', children: lines }] }
  const children = [{ type: 'heading', children: [text('Green')] }, paragraph, list]
  const item = { type: 'ul', children: [{ type: 'li', children: [{ text: 'fresh' }] }] }

  it.each([
    [' Fresh\n tea ', 'Fresh tea'],
    [undefined, ''],
    [null, ''],
    [7, ''],
    [{}, ''],
    // Of the Lexical editor, and of the Slate editor.
    [{ root: { type: 'root', children } }, 'Green fresh leafs one two'],
    [[{ children: [{ text: 'Green' }, { text: ' tea', bold: true }] }, item], 'Green tea fresh'],
  ])('of %j are "%s"', (value, words) => {
    expect(wordsOf(value)).toBe(words)
  })
})
