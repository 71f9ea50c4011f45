import { defineConfig } from 'vitest/config'
import FileOrder from './test/support/file-order.ts'
import DurationsReporter from './test/support/durations-reporter.ts'
import FiguresReporter from './test/support/figures-reporter.ts'

/** Files of a run. */
interface Suite {
  /** They need nothing but functions. */
  unit: string[]
  /** Each has a process, and uses the build of the package and of the demo store, which is made once for all. */
  demo: string[]
  /** They open stores. Those of a worker share a process, which imports Payload once. */
  stores: string[]
  /** Each has a process: it replaces a module, uses what Payload has once a process, or runs others. */
  alone: string[]
}

const everything: Suite = {
  unit: ['test/unit/**/*.test.ts'],
  demo: [
    'test/browser/{failures,languages,lists,merchants,overview,people,payments,shoppers,walk}.test.ts',
    'test/package/package.test.ts',
    'test/serverless/*.test.ts',
  ],
  stores: ['test/**/*.test.ts'],
  alone: [
    'test/merchant/admin/admin-language.test.ts',
    'test/merchant/alerts/{alert-language,health}.test.ts',
    'test/marketing/history/history-endpoints.test.ts',
    'test/core/http/{chunked-bodies,throttled-mounts}.test.ts',
    'test/mounts/next/*.test.ts',
    'test/shipping/access/mounts.test.ts',
    'test/stores/{access,alone,graphql-access,reviews,switched-off}.test.ts',
    'test/stores/migrations/*.test.ts',
  ],
}

/**
 * What `npm test` leaves to `npm run test:full`, by the folder: a build, a browser, hosts, other editions, and what
 * takes minutes. Of the browser it has one walk.
 */
const onlyFull = [
  'test/{package,serverless,upgrades}/**',
  'test/**/{migrations,proof}/**',
  'test/browser/!(walk).test.ts',
]

/** `npm run proof`: what takes long for its own sake, at these sizes. The other commands run it small. */
const proofs: Suite = {
  unit: [
    'test/unit/core/http/own-actions.test.ts',
    'test/unit/carts/restore/*.test.ts',
    'test/unit/core/http/*.test.ts',
    'test/unit/marketing/klaviyo/email.test.ts',
    'test/unit/marketing/feeds/any-order.test.ts',
  ],
  demo: ['test/serverless/*.test.ts'],
  stores: [
    'test/carts/restore/redirects.test.ts',
    'test/marketing/delivery/drain.test.ts',
    'test/marketing/forms/posted-forms.property.test.ts',
    'test/core/http/forward.test.ts',
    'test/shipping/export/pulls-at-once.test.ts',
    'test/shipping/export/xml-properties.test.ts',
    'test/shop/payments/finish-order.test.ts',
    'test/simulation/simulation.test.ts',
  ],
  alone: ['test/marketing/delivery/proof/*.test.ts'],
}
const proofSizes = {
  FAILOVERS: '20',
  FUNCTION_POSTS: '10000',
  HISTORY_KILLS: '50',
  KILLS: '1000',
  OUTAGE_HOURS: '72',
  PAUSES: '50',
  POSTS: '100000',
  PROPERTY_RUNS: '200000',
  SHOPS: '3',
  SHOP_DAYS: '30',
  SIMULATED_RUNS: '100000',
  SIMULATED_SLOW_RUNS: '10000',
}

const stores = {
  globalSetup: ['test/support/databases.ts'],
  setupFiles: [
    'test/support/real-timers.ts',
    'test/support/no-missing-texts.ts',
    'test/support/short-password-work.ts',
  ],
}

export default defineConfig(({ mode }) => {
  const isProof = mode === 'proof'
  const isFull = mode === 'full'
  const suite = isProof ? proofs : everything
  const exclude = isFull || isProof ? [] : onlyFull
  return {
    test: {
      pool: 'forks',
      // Some files wait for processes of their own, so there are more workers than cores.
      maxWorkers: 4,
      // The collector of young objects runs less often, which is a twentieth of all work.
      execArgv: ['--max-semi-space-size=64'],
      // These end what hangs. They are long, so that nothing depends on the pace of a machine.
      testTimeout: 180_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 60_000 } },
      sequence: { shuffle: { tests: true }, sequencer: FileOrder },
      env: {
        ...(isProof && { ...proofSizes, ...process.env }),
        ...((isFull || isProof) && { EACH_DATABASE: 'yes' }),
        ...(isFull && { SIMULATED_RUNS: '1000', SIMULATED_SLOW_RUNS: '25' }),
        NODE_ENV: 'test',
      },
      ...(isProof && {
        fileParallelism: false,
        maxConcurrency: 6,
        reporters: ['default', new FiguresReporter()],
      }),
      ...(isFull && { reporters: ['default', new DurationsReporter()] }),
      projects: [
        {
          extends: true,
          test: {
            name: 'unit',
            include: suite.unit,
            exclude,
            isolate: false,
            setupFiles: ['test/support/real-timers.ts'],
          },
        },
        {
          extends: true,
          test: {
            name: 'stores',
            include: suite.stores,
            exclude: [...exclude, ...everything.unit, ...everything.demo, ...everything.alone],
            isolate: false,
            ...stores,
          },
        },
        {
          extends: true,
          test: {
            name: 'demo',
            include: suite.demo,
            exclude,
            globalSetup: ['test/browser/filled-store.ts'],
            // The first ones wait until it is built.
            hookTimeout: 900_000,
          },
        },
        {
          extends: true,
          test: { name: 'alone', include: suite.alone, exclude, ...stores },
        },
      ],
    },
  }
})
