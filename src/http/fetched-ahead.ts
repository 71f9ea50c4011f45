/** Whether a browser fetches in advance what nobody has asked to see yet. */
export const isFetchedAhead = (headers: Headers): boolean =>
  /prefetch|prerender/i.test(`${headers.get('sec-purpose') ?? ''} ${headers.get('purpose') ?? ''}`)
