/**
 * The platform's documented bounds, the stricter one where its pages disagree (Events API overview,
 * Limitations; the endpoints' own descriptions at revision 2026-07-15).
 */
export const platformLimits = {
  /** Properties of an event, and by the same measure of a profile. */
  properties: 400,
  /** A single text, in bytes of UTF-8. */
  textBytes: 100 * 1024,
  /** One profile in a call, in bytes. */
  profileBytes: 100 * 1024,
  /** An event's name is shorter than this, in characters, prefix included. */
  eventNameLength: 128,
  arrayItems: 4000,
  depth: 10,
} as const
