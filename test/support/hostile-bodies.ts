export type BodyKind = 'urlencoded' | 'multipart' | 'json' | 'xml'

/** A body that is made to cost more than its size. */
export interface HostileBody {
  kind: BodyKind
  name: string
  contentType: string
  /** Of at most so many bytes. */
  make(bytes: number): Buffer
  /** Whether it is refused at the largest size; some are only odd. */
  isRefused: boolean
}

export const boundary = '----storeconnect0123456789boundary'

export const contentTypes: Readonly<Record<BodyKind, string>> = {
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: `multipart/form-data; boundary=${boundary}`,
  json: 'application/json',
  xml: 'text/xml',
}

type Make = (bytes: number) => string | Buffer

/** `head`, then as many of `unit` as fit, then `tail`. */
const fill =
  (unit: string | ((index: number) => string), head = '', tail = ''): Make =>
  (bytes) => {
    const room = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail)
    const parts: string[] = []
    let size = 0
    for (let index = 0; ; index++) {
      const part = typeof unit === 'string' ? unit : unit(index)
      size += Buffer.byteLength(part)
      if (size > room) return head + parts.join('') + tail
      parts.push(part)
    }
  }

/** Half of what fits opens, the other half closes. */
const nested =
  (open: string, close: string, [head, tail]: readonly [head: string, tail: string]): Make =>
  (bytes) => {
    const depth = Math.floor((bytes - head.length - tail.length) / (open.length + close.length))
    return head + open.repeat(depth) + close.repeat(depth) + tail
  }

/** As many of `unit` as are allowed, the rest of the body being the text in the middle of `head`. */
const padded =
  (
    unit: string | ((index: number) => string),
    [before, behind = '']: readonly [before: string, behind?: string],
    { count = 990, tail = '' } = {},
  ): Make =>
  (bytes) => {
    const units = Array.from({ length: count }, (_, index) =>
      typeof unit === 'string' ? unit : unit(index),
    )
    let room = bytes - before.length - behind.length - tail.length
    const kept = units.filter((text) => (room -= text.length) >= 0).join('')
    const used = kept.length + before.length + behind.length + tail.length
    return before + 'A'.repeat(Math.max(0, bytes - used)) + behind + kept + tail
  }

const of = (
  kind: BodyKind,
  isRefused: boolean,
  shapes: Readonly<Record<string, Make | { type: string; make: Make }>>,
): HostileBody[] =>
  Object.entries(shapes).map(([name, shape]) => {
    const { type, make } =
      typeof shape === 'function' ? { type: contentTypes[kind], make: shape } : shape
    return { kind, name, isRefused, contentType: type, make: (bytes) => Buffer.from(make(bytes)) }
  })

const part = (name: string, value = '1', more = '') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const lastBoundary = `--${boundary}--\r\n`
const textPart = [
  `--${boundary}\r\nContent-Disposition: form-data; name="x"\r\n\r\n`,
  '\r\n',
] as const
const openName = `--${boundary}\r\nContent-Disposition: form-data; name="`
const afterName = `"\r\n\r\n1\r\n${lastBoundary}`
const partHead = `${openName}a"`
const openValue = `${partHead}\r\n\r\n`
const afterValue = `\r\n${lastBoundary}`

const urlencoded = [
  ...of('urlencoded', true, {
    'names of one letter': fill('&a'),
    'names without values, all different': fill((index) => `&p${index}`),
    'values without names': fill('&=1'),
    'ampersands alone': fill('&'),
    'pairs of one letter': fill('a=1&'),
    'one list': fill('a[]=1&'),
    'one list, encoded': fill('a%5B%5D=1&'),
    'lists of lists': fill('a[][]=1&'),
    'indexes that count up': fill((index) => `a[${index}]=1&`),
    'indexes that count down': fill((index) => `a[${99999 - index}]=1&`),
    'groups of their own': fill((index) => `g${index}[x]=1&`),
    'members of one group': fill((index) => `event[p${index}]=1&`),
    'members of a deep group': fill((index) => `a[b][c][d][e][${index}]=1&`),
    'items of a cart': fill((index) => `items[${index}][productId]=1&`),
    'lists to subscribe to': fill('lists[]=ABCDEF&', 'subscribe=1&'),
    'open brackets': fill('['),
    'closed brackets': fill(']'),
    'pairs of brackets': fill('[]'),
    'one deep name': fill('[a]', 'a', '=1'),
    'one deep name, encoded': fill('%5Ba%5D', 'a', '=1'),
    'one long name': fill('A'),
    'one long name, encoded': fill('%41', '', '=1'),
    'one long name of other letters': fill('%F0%9F%98%80', '', '=1'),
    'long names': fill((index) => `${'A'.repeat(1000)}${index}=1&`),
    'a long name in brackets': fill('A', 'event[', ']=1'),
    'a long name of brackets that never close': fill('[0', 'a', '=1'),
    'names of prototypes': fill('__proto__[a]=1&constructor[prototype][a]=1&'),
    'names that begin alike': fill((index) => `${'A'.repeat(240)}${index}=1&`),
  }),
  ...of('urlencoded', false, {
    'one long value': fill('A', 'event[Text]='),
    'one long value, encoded': fill('%41', 'event[Text]='),
    'one long value of plus signs': fill('+', 'event[Text]='),
    'one long value of percent signs': fill('%', 'event[Text]='),
    'one long value that is no UTF-8': fill('%FF', 'event[Text]='),
    'one long value of surrogates': fill('%ED%A0%80', 'event[Text]='),
    'one long value of equals signs': fill('=', 'event[Text]'),
    blanks: fill(' '),
    'a thousand lists': padded('&a[]=1', ['x=']),
    'a thousand indexes': padded((index) => `&a[${index}]=1`, ['x=']),
    'a thousand indexes that count down': padded((index) => `&a[${990 - index}]=1`, ['x=']),
    'a thousand lists of groups': padded('&a[][b]=1', ['x=']),
    'a thousand deep names': padded((index) => `&a[b][c][d][e][${index}]=1`, ['x=']),
    'a thousand groups': padded((index) => `&g${index}[a][b][c][d][e]=1`, ['x=']),
    'a thousand properties': padded(
      (index) => `&event[p${index}]=1`,
      ['email=a@b.co&event[name]=x&x='],
    ),
    'a thousand properties of a profile': padded(
      (index) => `&profile[properties][p${index}]=1`,
      ['email=a@b.co&x='],
    ),
    'a thousand unknown attributes': padded(
      (index) => `&profile[p${index}]=1`,
      ['email=a@b.co&x='],
    ),
    'a thousand odd indexes before a list': padded(
      (index) => (index < 495 ? `&a[${495 + index}]=1` : '&a[]=1'),
      ['x='],
    ),
    'a long email': fill('a.', 'email=a@'),
    'a long email of at signs': fill('@', 'email='),
    'a long phone number': fill('1', 'profile[phone_number]=%2B'),
    'a long phone number of blanks': fill('+', 'profile[phone_number]=%2B49', '1'),
    'a long phone number of brackets': fill('(', 'profile[phone_number]=%2B49'),
    'a long language tag': fill('-aaa', 'profile[locale]=de'),
    'a long image address': fill('/..', 'profile[image]=https://a.b'),
    'a long time': fill('0', 'email=a@b.co&event[name]=x&event[timestamp]=2026-01-01T00:00:00.'),
    'a long time of blanks': fill(
      '+',
      'email=a@b.co&event[name]=x&event[timestamp]=2026-01-01',
      'x',
    ),
    'a long number': fill('9', 'email=a@b.co&event[name]=x&event[value]='),
    'a long number of blanks': fill('+', 'email=a@b.co&event[name]=x&event[value]=1', 'x'),
    'a long currency': fill('A', 'email=a@b.co&event[name]=x&event[value_currency]='),
    'a long id': fill('A', 'email=a@b.co&event[name]=x&event[unique_id]='),
    'a long name of an event': fill('A', 'email=a@b.co&event[name]='),
    'a long name of a list': fill('A', 'email=a@b.co&list='),
    'a long order number': fill(
      'A',
      'email=a@b.co&event[name]=x&event[trackOrder]=1&event[orderNumber]=',
    ),
    'a long place': fill('9', 'email=a@b.co&profile[location][latitude]='),
    'a long honeypot': fill('+', 'homepage='),
  }),
  ...of('urlencoded', true, {
    'a long redirect': fill('A', 'redirect='),
    'a long name to forward to': fill('%2525', 'forward='),
    'an unknown encoding': {
      type: 'application/x-www-form-urlencoded; charset=x-unknown',
      make: fill('A', 'a='),
    },
    'bytes that are no UTF-8': (bytes) => Buffer.alloc(bytes, 0xff),
    'UTF-16 of ampersands': (bytes) => Buffer.from(`\uFEFF${'&'.repeat(bytes / 2 - 1)}`, 'utf16le'),
  }),
]

const multipart = [
  ...of('multipart', true, {
    'small parts': fill(part('a'), '', lastBoundary),
    'small parts, all different': fill((index) => part(`p${index}`), '', lastBoundary),
    'parts of a list': fill(part('a[]'), '', lastBoundary),
    'empty files': fill(part('f', '', '; filename="x"'), '', lastBoundary),
    'a thousand files': padded((index) => part(`p${index}`, '', '; filename="x"'), textPart, {
      tail: lastBoundary,
    }),
    'a thousand files with long names': padded(
      (index) => part(`p${index}`, '', `; filename="${'n'.repeat(140)}"`),
      textPart,
      { tail: lastBoundary },
    ),
    'files of another spelling': padded(
      (index) => part(`p${index}`, '', `\r\nX: y; FileName* = "UTF-8''x"`),
      textPart,
      { tail: lastBoundary },
    ),
    'boundaries alone': fill(`--${boundary}\r\n`),
    'last boundaries': fill(lastBoundary),
    'boundaries without line ends': fill(`--${boundary}`),
    'no boundary at all': fill('A'),
    dashes: fill('-'),
    'line ends': fill('\r\n'),
    'half boundaries': fill(`\r\n--${boundary.slice(0, -1)}`, partHead),
    'an unfinished part': fill('A', openValue),
    'an unfinished name': fill('A', openName),
    'an unfinished header': fill('A', `--${boundary}\r\n`),
    'headers without end': fill('X: y\r\n', `${partHead}\r\n`),
    'one part without a name': fill(
      'A',
      `--${boundary}\r\nContent-Disposition: form-data\r\n\r\n`,
      afterValue,
    ),
    'one long name': fill('A', openName, afterName),
    'one long name, encoded': fill('%22', openName, afterName),
    'one deep name': fill('[a]', `${openName}a`, afterName),
    'one long name of a file': fill('A', `${partHead}; filename="`, afterName),
    'a part with many headers': fill('X: y\r\n', `${partHead}\r\n`, `\r\n1\r\n${lastBoundary}`),
    'a part with one long header': fill('y', `${partHead}\r\nX: `, `\r\n\r\n1\r\n${lastBoundary}`),
    'a short boundary': { type: 'multipart/form-data; boundary=a', make: fill('--a\r\n') },
    'no name for the boundary': {
      type: 'multipart/form-data',
      make: fill(part('a'), '', lastBoundary),
    },
    'two names for the boundary': {
      type: `multipart/form-data; boundary=${'b'.repeat(30)}; boundary=${boundary}`,
      make: fill(part('a'), '', lastBoundary),
    },
    'a boundary that is like its text': {
      type: `multipart/form-data; boundary=${'a'.repeat(69)}`,
      make: fill('a'),
    },
    'a boundary that nearly comes': {
      type: `multipart/form-data; boundary=${'a'.repeat(69)}`,
      make: fill(`--${'a'.repeat(68)}b`),
    },
  }),
  ...of('multipart', false, {
    'one long value': fill('A', openValue, afterValue),
    'one long value of line ends': fill('\r\n', openValue, afterValue),
    'one long value of half boundaries': fill(
      `\r\n--${boundary.slice(0, -1)}`,
      openValue,
      afterValue,
    ),
    'one long value that is no UTF-8': (bytes) =>
      Buffer.concat([
        Buffer.from(openValue),
        Buffer.alloc(bytes - 200, 0xff),
        Buffer.from(afterValue),
      ]),
    'one large file': fill('A', `${partHead}; filename="x"\r\n\r\n`, afterValue),
    'a hundred files': padded(
      (index) => part(`p${index}`, '', `; filename="${'n'.repeat(140)}"`),
      textPart,
      { count: 100, tail: lastBoundary },
    ),
    'a part within a part': fill(
      'A',
      `${partHead}\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n`,
      `\r\n--x--\r\n${lastBoundary}`,
    ),
    'a thousand parts': padded((index) => part(`p${index}`), textPart, { tail: lastBoundary }),
    // Node 20 refuses it, and Node 24 leaves it out.
    'a preamble': fill('A', '', `\r\n${part('a')}${lastBoundary}`),
    'text behind the end': fill('A', part('a') + lastBoundary),
  }),
]

const json = [
  ...of('json', true, {
    'a long name over a list': padded(',1', ['{"', '":[1'], { count: 900, tail: ']}' }),
    'a name of half the body over a list': (bytes) => {
      const name = 'A'.repeat(bytes / 2)
      return fill('1,', `{"${name}":[`, '1]}')(bytes)
    },
    'a list': fill('1,', '{"a":[', '1]}'),
    'a list of nothing': fill('null,', '{"a":[', 'null]}'),
    'a list of empty lists': fill('[],', '{"a":[', '[]]}'),
    'a list of empty objects': fill('{},', '{"a":[', '{}]}'),
    'a list of empty texts': fill('"",', '{"a":[', '""]}'),
    'a list of lists': fill('[1],', '{"a":[', '[1]]}'),
    'a list of objects': fill('{"b":1},', '{"a":[', '{"b":1}]}'),
    members: fill((index) => `"p${index}":1,`, '{', '"z":1}'),
    'the same member again': fill('"a":1,', '{', '"a":1}'),
    'members of a group': fill((index) => `"p${index}":1,`, '{"event":{', '"z":1}}'),
    'members that are indexes': fill((index) => `"${index}":1,`, '{"a":{', '"z":1}}'),
    'members with brackets': fill((index) => `"a[b][${index}]":1,`, '{', '"z":1}'),
    'lists within lists': nested('[', ']', ['{"a":', '}']),
    'objects within objects': nested('{"a":', '}', ['{"a":1,"b":', '1}']),
    'lists that never end': fill('[', '{"a":'),
    'objects that never end': fill('{"a":'),
    'one long name': fill('A', '{"', '":1}'),
    'one long name of escapes': fill('\\u0041', '{"', '":1}'),
    'one deep name': fill('[a]', '{"a', '":1}'),
    'a long name in a group': fill('A', '{"a":{"', '":1}}'),
    'long names': fill((index) => `"${'A'.repeat(1000)}${index}":1,`, '{', '"z":1}'),
    'long names within long names': fill(
      '"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA":{',
      '{',
      '',
    ),
    'names of prototypes': fill('"__proto__":{"a":1},', '{', '"z":1}'),
    'a text that never ends': fill('A', '{"a":"'),
    backslashes: fill('\\\\', '{"a":"'),
    commas: fill(','),
    colons: fill(':', '{"a"'),
    'numbers without commas': fill('1 ', '{"a":['),
    'a list around all': fill('1,', '[', '1]'),
    'one text alone': fill('A', '"', '"'),
    'an array of long texts': fill(`"${'A'.repeat(100)}",`, '{"a":[', '1]}'),
  }),
  ...of('json', false, {
    blanks: fill(' ', '{', '}'),
    'one long text': fill('A', '{"a":"', '"}'),
    'one long text of escapes': fill('\\u0041', '{"a":"', '"}'),
    'one long text of quotes': fill('\\"', '{"a":"', '"}'),
    'one long text of commas and brackets': fill('[,{', '{"a":"', '"}'),
    'one long text of surrogates': fill('\\ud800', '{"a":"', '"}'),
    'one long text of emoji': fill('😀', '{"a":"', '"}'),
    'one long number': fill('9', '{"a":', '}'),
    'one long fraction': fill('0', '{"a":0.', '1}'),
    'one long exponent': fill('9', '{"a":1e', '}'),
    'a list of a thousand': padded(',1', ['{"x":"', '","a":[1'], { tail: ']}' }),
    'a list of a thousand groups': padded(',{"b":1}', ['{"x":"', '","a":[1'], {
      count: 490,
      tail: ']}',
    }),
    'a list of a thousand nothings': padded(',null', ['{"x":"', '","a":[1'], { tail: ']}' }),
    'a thousand members below a long name': padded(
      (index) => `,"p${index}":1`,
      ['{"x":"', `","${'A'.repeat(500)}":{"z":1`],
      { tail: '}}' },
    ),
    'a thousand deep members': padded(
      (index) => `,"p${index}":{"a":{"b":{"c":{"d":1}}}}`,
      ['{"x":"', '"'],
      { tail: '}' },
    ),
    'a thousand names with brackets': padded(
      (index) => `,"a[b][c][d][e][${index}]":1`,
      ['{"x":"', '"'],
      { tail: '}' },
    ),
  }),
]

const item = '<Item><SKU>A</SKU><Name>A</Name><Quantity>1</Quantity></Item>'
const inNotice = (unit: string, open = '', close = '') =>
  fill(unit, `<ShipNotice>${open}`, `${close}</ShipNotice>`)

const xml = [
  ...of('xml', true, {
    'elements within elements': nested('<a>', '</a>', ['<ShipNotice>', '</ShipNotice>']),
    'elements that never close': fill('<a>', '<ShipNotice>'),
    'open angles': fill('<'),
    'closed angles': fill('>', '<ShipNotice>'),
    'closing elements': fill('</a>', '<ShipNotice>'),
    'comments that never end': fill('<!--', '<ShipNotice>'),
    'CDATA that never ends': fill('<![CDATA[', '<ShipNotice>'),
    'instructions that never end': fill('<?a ', '<ShipNotice>'),
    declarations: fill('<!DOCTYPE a>', '<ShipNotice>'),
    entities: fill('<!ENTITY a "&b;">', '<!DOCTYPE a [', ']><ShipNotice/>'),
    ampersands: inNotice('&', '<Carrier>', '</Carrier>'),
    'entities that nobody defines': inNotice('&a;', '<Carrier>', '</Carrier>'),
    'entities of HTML': inNotice('&nbsp;', '<Carrier>', '</Carrier>'),
    'entities that never end': inNotice('&a', '<Carrier>', '</Carrier>'),
    'references that are too high': inNotice('&#x110000;', '<Carrier>', '</Carrier>'),
    'references to NUL': inNotice('&#0;', '<Carrier>', '</Carrier>'),
    'many carriers': inNotice('<Carrier>A</Carrier>'),
    'quotes in a tag': fill('"', '<ShipNotice a=', '></ShipNotice>'),
    'a tag that never ends': fill(' a="b"', '<ShipNotice'),
    'blanks in a tag that never ends': fill(' ', '<ShipNotice'),
    'attributes without values': fill(' a', '<ShipNotice', '></ShipNotice>'),
    'the same attribute again': fill(' a="b"', '<ShipNotice', '></ShipNotice>'),
    'many roots': fill('<ShipNotice/>'),
    'a root of another name': fill('<a/>', '<Orders>', '</Orders>'),
    'names of prototypes': inNotice('<__proto__>A</__proto__>'),
    'an unknown encoding': fill(
      'A',
      '<?xml version="1.0" encoding="x-unknown"?><ShipNotice><a>',
      '</a></ShipNotice>',
    ),
    'bytes that are no UTF-8': (bytes) =>
      Buffer.concat([Buffer.from('<ShipNotice>'), Buffer.alloc(bytes - 12, 0xff)]),
    'control characters': inNotice('\u0001', '<Carrier>', '</Carrier>'),
  }),
  ...of('xml', false, {
    'empty elements': inNotice('<a/>'),
    'small elements': inNotice('<a>A</a>'),
    'elements of many names': fill((index) => `<a${index}/>`, '<ShipNotice>', '</ShipNotice>'),
    'elements with attributes': inNotice('<a b="c"/>'),
    'attributes of many names': fill((index) => ` a${index}="b"`, '<ShipNotice', '></ShipNotice>'),
    'one long attribute': fill('A', '<ShipNotice a="', '"></ShipNotice>'),
    'one long attribute of entities': fill('&amp;', '<ShipNotice a="', '"></ShipNotice>'),
    'blanks in a tag': fill(' ', '<ShipNotice', '></ShipNotice>'),
    'blanks in an attribute': fill(' ', '<ShipNotice a', '="b"></ShipNotice>'),
    'one long name': (bytes) => {
      const name = 'A'.repeat(bytes / 2 - 20)
      return `<ShipNotice><${name}></${name}></ShipNotice>`
    },
    'tabs in a tag': fill('\t', '<ShipNotice', '></ShipNotice>'),
    comments: inNotice('<!---->'),
    'one long comment': inNotice('A', '<!--', '-->'),
    'one long comment of dashes': inNotice('- ', '<!--', '-->'),
    'CDATA sections': inNotice('<![CDATA[]]>', '<Carrier>', '</Carrier>'),
    'one long CDATA section': inNotice(']', '<Carrier><![CDATA[', ']]></Carrier>'),
    instructions: inNotice('<?a b?>'),
    'one long instruction': inNotice('b="c" ', '<?a ', '?>'),
    'entities of XML': inNotice('&lt;', '<Carrier>', '</Carrier>'),
    references: inNotice('&#65;', '<Future>', '</Future>'),
    'one long text': inNotice('A', '<Future>', '</Future>'),
    'text between elements': inNotice('A<a/>'),
    'line ends': inNotice('\r\n'),
    'empty items': inNotice('<Item/>', '<Items>', '</Items>'),
    items: inNotice(item, '<Items>', '</Items>'),
    'many containers of items': inNotice('<Item><a/></Item>', '<Items>', '</Items>'),
  }),
]

/** Every shape that a body can be given to cost more than it should. */
export const hostileBodies: readonly HostileBody[] = [...urlencoded, ...multipart, ...json, ...xml]
