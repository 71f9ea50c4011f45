/** Shows a state as a chip in a list. */
export const stateCell = { components: { Cell: 'payload-storeconnect/rsc#StateCell' } } as const
