/** A pull of the shipping platform: its request for the first page of an export. */
export interface Pull {
  at: Date
  /** How many orders were on that page. */
  orders: number
  pages: number
}

/** When the shipping platform was last here. Nothing of the orders themselves. */
export interface PullRecord {
  note(pull: Pull): Promise<void>
  /** Undefined when it never was. */
  last(): Promise<Pull | undefined>
}
