/** Placed Order, and one Ordered Product for each of two lines. */
export const eventsOfOrder = 3

export const period = { from: '2025-01-01', to: '2026-01-01' }
