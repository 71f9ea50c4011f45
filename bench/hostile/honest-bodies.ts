import { boundary, type BodyKind } from '../../test/support/hostile-bodies.js'
import { shipNotice } from '../../test/shipping/notice/ship-notice-document.js'

const prose = 'Could you tell me whether the green tea is in stock again, and what it costs? '

const textOf = (characters: number) =>
  prose.repeat(Math.ceil(characters / prose.length)).slice(0, Math.max(0, characters))

/** The longest text of one field; the platform takes 100 KiB at most. */
const fieldLength = 20_000

/** What a visitor writes into a form with a large field or two, in so many bytes or a few less. */
function fieldsOf(bytes: number, index: number): [string, string][] {
  const fields: [string, string][] = [
    ['email', `visitor${index}@example.com`],
    ['profile[first_name]', 'Anna'],
    ['profile[last_name]', 'Berg'],
    ['profile[location][city]', 'Bonn'],
    ['event[name]', 'Asked about tea'],
    ['event[value]', '12.50'],
    ['event[value_currency]', 'EUR'],
  ]
  for (let left = bytes; left > 0; left -= fieldLength) {
    fields.push([`event[Message ${fields.length}]`, textOf(Math.min(left, fieldLength))])
  }
  return fields
}

const encode: Readonly<Record<BodyKind, (bytes: number, index: number) => string>> = {
  urlencoded: (bytes, index) => new URLSearchParams(fieldsOf(bytes, index)).toString(),
  multipart: (bytes, index) =>
    fieldsOf(bytes, index)
      .map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      .join('') + `--${boundary}--\r\n`,
  json: (bytes, index) => JSON.stringify(Object.fromEntries(fieldsOf(bytes, index))),
  xml: (bytes, index) =>
    shipNotice(
      { TrackingNumber: `1Z${index}`, CustomerNotes: textOf(bytes) },
      Array.from({ length: 3 }, (_, line) => ({ SKU: `TEA-${line}`, Name: 'Tea', Quantity: '1' })),
    ),
}

/** An honest post of this size; each index is another visitor, or parcel. */
export function honestBody(kind: BodyKind, bytes: number, index: number): Buffer {
  const overhead = Buffer.byteLength(encode[kind](bytes, index)) / bytes
  for (let room = Math.floor(bytes / Math.max(1, overhead)); ; room -= 100) {
    const body = Buffer.from(encode[kind](room, index))
    if (body.byteLength <= bytes) return body
  }
}
