export const HELP = `A stand-in for ShipStation: polls a store as its Custom Store does.

  npm run shipstation -- pull [flags]
  npm run shipstation -- ship ORDER_NUMBER… [flags]
  npm run shipstation -- ship --all | --count N [flags]

Where
  --url URL             default http://127.0.0.1:3000/actions/shippingconnect/orders/process
  --username TEXT       default shipstation
  --password TEXT       default shipstation-demo
  SHIPSTATION_URL, SHIPSTATION_USERNAME and SHIPSTATION_PASSWORD do the same; a flag wins.
  PORT is the port of the store on this machine. Default: 3000

Which orders (pull, ship --all, ship --count)
  --from TEXT           default: 30 days ago. Sent to the store as it is, which reads a text
  --to TEXT             without an offset in its own time zone. Default: now
  --store NAME          only this store's orders

ship
  --all                 every order with the status "processing"
  --count N             the first N of them
  --carrier NAME        default USPS
  --service NAME        default: the carrier's usual one, "Priority Mail" for USPS
  --tracking NUMBER     for a single order. Default: one made up from the order's number

Examples
  npm run shipstation -- pull
  npm run shipstation -- pull --from 2026-03-01T00:00Z --to 2026-03-31T23:59Z
  npm run shipstation -- pull --from=-2days --to now
  npm run shipstation -- ship 1042 --carrier UPS --tracking 1Z9090843302984308
  npm run shipstation -- ship --count 5

Exit code: 0 done, 1 something failed, 2 wrong use.`
