import { describe, expect, it } from 'vitest'
import { wordsOf } from '../../../src/product-feed/public-products.js'

const text = (words: string) => ({ type: 'text', text: words })

describe('The words of a text', () => {
  it.each([
    ['Fresh tea', 'Fresh tea'],
    [' Fresh\n tea ', 'Fresh tea'],
    [undefined, ''],
    [null, ''],
    [7, ''],
    [{}, ''],
  ])('of %o are "%s"', (value, words) => {
    expect(wordsOf(value)).toBe(words)
  })

  it('of the Lexical editor stand on one line, blocks apart and links not', () => {
    const value = {
      root: {
        type: 'root',
        children: [
          { type: 'heading', children: [text('Green')] },
          {
            type: 'paragraph',
            children: [text('fresh '), { type: 'link', children: [text('leaf')] }, text('s')],
          },
          {
            type: 'list',
            children: [
              { type: 'listitem', children: [text('one'), { type: 'linebreak' }, text('two')] },
              { type: 'listitem', children: [text('three')] },
            ],
          },
        ],
      },
    }
    expect(wordsOf(value)).toBe('Green fresh leafs one two three')
  })

  it('of the Slate editor do too', () => {
    const value = [
      { children: [{ text: 'Green' }, { text: ' tea', bold: true }] },
      { type: 'ul', children: [{ type: 'li', children: [{ text: 'fresh' }] }] },
    ]
    expect(wordsOf(value)).toBe('Green tea fresh')
  })
})
