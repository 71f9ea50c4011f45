/** One request at the front door, with what is known of it before any action. */
export interface Visit {
  request: Request
  /** Ties the answer to its log lines. */
  requestId: string
  /** The visitor's network address; undefined where the mount cannot tell. */
  address: string | undefined
}

export type Action = (visit: Visit) => Promise<Response>
