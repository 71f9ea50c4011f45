/** A pull or a shipment that failed, in words for who runs it. */
export class ShipStationError extends Error {
  override readonly name = 'ShipStationError'
  /** Of the shop's answer; undefined when there was none. */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}
