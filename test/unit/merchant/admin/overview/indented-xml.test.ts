import { describe, expect, it } from 'vitest'
import { indentedXml } from '../../../../../src/merchant/admin/overview/indented-xml.js'

describe('XML for people', () => {
  it('has one element a line, deeper ones further in', () => {
    const xml =
      '<?xml version="1.0"?>\n<Orders pages="1">\n<Order><OrderID>7</OrderID><Items><Item><ImageUrl/></Item></Items></Order>\n</Orders>\n'
    expect(indentedXml(xml)).toBe(
      [
        '<?xml version="1.0"?>',
        '<Orders pages="1">',
        '  <Order>',
        '    <OrderID>7</OrderID>',
        '    <Items>',
        '      <Item>',
        '        <ImageUrl/>',
        '      </Item>',
        '    </Items>',
        '  </Order>',
        '</Orders>',
      ].join('\n'),
    )
  })

  it.each(['', '  two  spaces ', 'a / b > c', 'line\nfeed', '&lt;b&gt;'])(
    'keeps the text %j as it is',
    (text) => {
      expect(indentedXml(`<Name>${text}</Name>`)).toBe(`<Name>${text}</Name>`)
    },
  )

  it('loses nothing but the white space between elements', () => {
    const xml = '<A><B>1 &amp; 2</B><C/><D></D><E><F x="1">f</F></E></A>'
    expect(indentedXml(xml).replaceAll(/\n */g, '')).toBe(xml)
  })
})
