/** Why a pull or a shipment failed. Stable: tests and the command line tell failures apart by it. */
export type ShipStationErrorCode =
  /** Nobody answered: connection refused, unknown host, connection cut. */
  | 'SHOP_UNREACHABLE'
  /** The answer was not complete in time. */
  | 'DEADLINE_PASSED'
  /** The shop answered 401. */
  | 'CREDENTIALS_REFUSED'
  /** The shop answered with any other status outside 2xx. */
  | 'SHOP_REFUSED'
  /** The export is not `text/xml` in UTF-8. */
  | 'CONTENT_TYPE_WRONG'
  /** The export is not well-formed XML. */
  | 'XML_MALFORMED'
  /** The export's root element is not `Orders`. */
  | 'ROOT_WRONG'
  /** The export is XML, but breaks ShipStation's schema. */
  | 'ORDERS_INVALID'

interface ShipStationErrorDetails {
  /** The status of the shop's answer; left out when there was none. */
  status?: number
  /** The whole text of the shop's answer; left out when there was none. */
  answer?: string
  cause?: unknown
}

/** Every failure of the stand-in: a stable code, and what the shop answered. */
export class ShipStationError extends Error {
  override readonly name = 'ShipStationError'
  readonly code: ShipStationErrorCode
  /** The status of the shop's answer; `undefined` when there was none. */
  readonly status: number | undefined
  /** The whole text of the shop's answer; empty when there was none. */
  readonly answer: string

  constructor(code: ShipStationErrorCode, message: string, details: ShipStationErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status
    this.answer = details.answer ?? ''
  }
}
