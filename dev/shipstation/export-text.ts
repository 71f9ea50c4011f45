import { ShipStationError } from './shipstation-error.ts'
import type { ShopAnswer } from './shop-call.ts'

/** The text of an export; only `text/xml` in UTF-8 is one. */
export function exportText({ status, contentType, bytes }: ShopAnswer): string {
  if (!/^text\/xml\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(contentType.trim())) {
    throw new ShipStationError(
      'CONTENT_TYPE_WRONG',
      `The export's content type is ${contentType || 'missing'}, not text/xml in UTF-8`,
      { status, answer: new TextDecoder().decode(bytes) },
    )
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ShipStationError(
      'XML_MALFORMED',
      'The export is not well-formed XML: it is not UTF-8',
      {
        status,
        answer: new TextDecoder().decode(bytes),
        cause,
      },
    )
  }
}
