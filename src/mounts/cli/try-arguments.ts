import { parseUrl } from '../../core/http/public-origin.js'
import type { Products } from '../../core/shop.js'
import { explained, parse, type Call } from './arguments.js'

export interface TryArguments {
  /** Where the shop answers, without a slash at the end. */
  url: string
  only: keyof Products | undefined
  /** The order that ShipStation ships, by its number; undefined: a person chooses. */
  order: string | undefined
  isForProduction: boolean
  /** Begins without asking. */
  isSure: boolean
  /** What already waits for Klaviyo is sent to the page, too. */
  takesWaiting: boolean
}

const usage = `Usage: storeconnect try [--url http://localhost:3000] [--only shipping|marketing]

Plays ShipStation and Klaviyo for the shop that runs on this machine, so that you can try
it without an account. ShipStation's orders are shown here, and it ships one that you
choose. A page on this machine shows what Klaviyo would get. No setting is changed.

  --url         Where the shop runs. Default: http://localhost:3000
  --only        Plays only that one
  --order       The number of the order that is shipped, without asking
  --production  The shop runs by next start
  --waiting     Sends already wait for Klaviyo: the page gets them, and Klaviyo never does
  --yes         Begins without asking
`

export function readTryArguments(given: readonly string[]): Call<TryArguments> {
  const explain = (problem?: string) => explained(usage, problem)
  const parsed = parse({
    args: [...given],
    options: {
      url: { type: 'string', default: 'http://localhost:3000' },
      only: { type: 'string' },
      order: { type: 'string' },
      production: { type: 'boolean', default: false },
      waiting: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if ('problem' in parsed) return explain(parsed.problem)
  const { values } = parsed
  if (values.help) return explain()
  const url = parseUrl(values.url)
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return explain('--url is where the shop runs, such as http://localhost:3000.')
  }
  const only = (['shipping', 'marketing'] as const).find((product) => product === values.only)
  if (values.only !== undefined && only === undefined) {
    return explain('--only is shipping or marketing.')
  }
  return {
    wanted: {
      url: url.href.replace(/\/+$/, ''),
      only,
      order: values.order,
      isForProduction: values.production,
      isSure: values.yes,
      takesWaiting: values.waiting,
    },
  }
}
