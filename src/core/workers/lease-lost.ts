/** Another process has taken over: nothing in the memory of this one can be trusted. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process has taken over the delivery.')
  }
}
