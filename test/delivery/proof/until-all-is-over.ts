import { waitAfterLossMs } from '../../../src/delivery/lost-calls.js'

/** For a poll: a send whose worker was lost twice while it was alone waits longest. */
export const untilAllIsOver = { timeout: 120_000 + Math.max(...waitAfterLossMs), interval: 200 }
