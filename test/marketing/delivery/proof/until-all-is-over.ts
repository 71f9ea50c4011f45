import { waitAfterLossMs } from '../../../../src/marketing/delivery/lost-calls.js'

/** For a poll: sends whose worker was lost twice while they were alone wait longest, and then in line. */
export const untilAllIsOver = { timeout: 900_000 + Math.max(...waitAfterLossMs), interval: 200 }
