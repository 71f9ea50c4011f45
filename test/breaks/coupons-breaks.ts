import type { Break } from './break.js'

const stock = ['test/marketing/coupons/stock.test.ts']
const restore = ['test/marketing/coupons/restore-code.test.ts']

export const couponsBreaks: readonly Break[] = [
  {
    fault: 'Codes that Klaviyo refuses do not count, and are made without end.',
    file: 'src/marketing/coupons/coupon-codes.ts',
    from: "isIn('sending', 'job', 'refused')} or",
    to: "isIn('sending', 'job')} or",
    tests: stock,
  },
  {
    fault: 'A job that a dead process was posting is never posted again.',
    file: 'src/marketing/coupons/coupon-sync.ts',
    from: 'await work.noteLost()',
    to: 'await Promise.resolve()',
    tests: stock,
  },
  {
    fault: 'A code that Klaviyo has already counts as refused.',
    file: 'src/marketing/coupons/code-outcomes.ts',
    from: 'error === undefined || isThereAlready(error)',
    to: 'error === undefined',
    tests: stock,
  },
  {
    fault: 'Klaviyo is not told of a code that was used while its job was lost.',
    file: 'src/marketing/coupons/coupon-codes.ts',
    from: "const again = sql`case when ${isUnused} then 'due' else 'used' end`",
    to: "const again = sql`'due'`",
    tests: stock,
  },
  {
    fault: 'The stock is filled again when a single code is gone.',
    file: 'src/marketing/coupons/coupon-stock.ts',
    from: 'if (count.free >= stock / 2)',
    to: 'if (count.free >= stock)',
    tests: stock,
  },
  {
    fault: 'Each process that begins to deliver counts the stock, and has codes made again.',
    file: 'src/marketing/coupons/coupon-stock.ts',
    from: 'countedAt: effects.now(), problem',
    to: 'problem',
    tests: stock,
  },
  {
    fault: 'A used code is put on another cart.',
    file: 'src/marketing/coupons/coupon-codes.ts',
    from: 'and ${of.usedAt} is null and ${of.expiresAt} >',
    to: 'and ${of.expiresAt} >',
    tests: restore,
  },
  {
    fault: 'Codes can be guessed as often as one likes.',
    file: 'src/marketing/coupons/code-check.ts',
    from: '(await throttle.try(one)) > 0',
    to: '(await throttle.try(one)) < 0',
    tests: restore,
  },
  {
    fault: 'The code is lost on the way to the login.',
    file: 'src/carts/restore/restore-request.ts',
    from: 'if (code !== undefined) query.set(codeParameter, code)',
    to: '',
    tests: restore,
  },
]
