import fc from 'fast-check'

/** One way to change a text. */
type Change = (text: string) => string

// Without bias, which would change the first characters most of the time.
const place = fc.noBias(fc.nat({ max: 9999 })).map((part) => part / 10_000)
const at = (text: string, where: number) => Math.floor(where * text.length)

const anyCharacter = fc.oneof(
  fc.constantFrom('/', '\\', '.', '%', '@', ':', '?', '#', '~', '-', '_', ' ', '\0', '\n', '\r'),
  fc.constantFrom('A', 'a', '0', '=', '+', '%00', '%2f', '%5c', '\u200b', '\u00ad', '／', 'ａ'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
)

const changes: fc.Arbitrary<Change> = fc.oneof(
  // One character in the place of another, added, taken away.
  fc.tuple(place, anyCharacter).map(
    ([where, character]): Change =>
      (text) =>
        text.slice(0, at(text, where)) + character + text.slice(at(text, where) + 1),
  ),
  fc.tuple(place, anyCharacter).map(
    ([where, character]): Change =>
      (text) =>
        text.slice(0, at(text, where)) + character + text.slice(at(text, where)),
  ),
  place.map(
    (where): Change =>
      (text) =>
        text.slice(0, at(text, where)) + text.slice(at(text, where) + 1),
  ),
  // A single bit, and the case of a single letter.
  fc.tuple(place, fc.integer({ min: 0, max: 6 })).map(([where, bit]): Change => (text) => {
    const index = at(text, where)
    const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit))
    return text.slice(0, index) + flipped + text.slice(index + 1)
  }),
  place.map((where): Change => (text) => {
    const letter = text.charAt(at(text, where))
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
    return text.slice(0, at(text, where)) + other + text.slice(at(text, where) + 1)
  }),
  // Cut, doubled, turned, put together anew.
  place.map(
    (where): Change =>
      (text) =>
        text.slice(0, at(text, where)),
  ),
  place.map(
    (where): Change =>
      (text) =>
        text.slice(at(text, where)),
  ),
  place.map(
    (where): Change =>
      (text) =>
        text + text.slice(at(text, where)),
  ),
  place.map(
    (where): Change =>
      (text) =>
        text.slice(at(text, where)) + text.slice(0, at(text, where)),
  ),
  fc.constantFrom<Change>(
    (text) => encodeURIComponent(text.toWellFormed()),
    (text) => encodeURI(text.toWellFormed()),
    (text) => text.replaceAll('%', '%25'),
    (text) => Buffer.from(text).toString('base64url'),
    (text) => Buffer.from(text, 'base64url').toString('latin1'),
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    (text) => text.normalize('NFKC'),
    (text) => text.replaceAll('-', '+').replaceAll('_', '/'),
    (text) =>
      text.replace(/[A-Za-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
    (text) => ` ${text}`,
    (text) => `${text}\n`,
    (text) => [...text].reverse().join(''),
  ),
  // Another host, path or scheme in the place of the one that is there.
  fc
    .constantFrom(
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
    )
    .map(
      (target): Change =>
        (text) =>
          text.includes('https://')
            ? text.replace(/https:\/\/[^/]*/, target)
            : text.replace(/\/.*/s, target),
    ),
  fc.webUrl().map(
    (url): Change =>
      (text) =>
        text.replace(/https?:.*|\/.*/s, url),
  ),
)

/** Texts that were made of one by one to four small changes; now and then the very text. */
export const mutationsOf = (text: string): fc.Arbitrary<string> =>
  fc
    .array(changes, { minLength: 1, maxLength: 4 })
    .map((list) => list.reduce((changed, change) => change(changed), text))
