/** What the command's process ends with, as shells read it. */
export const exitCodes = { done: 0, failed: 1, usage: 2, declined: 3, busy: 4, left: 130 } as const
