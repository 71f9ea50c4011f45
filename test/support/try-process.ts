import { script } from '../../src/mounts/cli/try.js'
import { storeConfig } from './store-config.js'
import { shopToTry } from './shop-to-try.js'

// `storeconnect try` in a process of its own, on the database of a shop that runs.
const [url = '', at = 'pipe', ...given] = process.argv.slice(2)
if (at === 'terminal') {
  process.stdin.isTTY = true
  process.stdout.isTTY = true
}
process.argv = [process.execPath, 'payload', 'storeconnect:try', ...given]
await script(await storeConfig({ kind: 'sqlite', url, ...shopToTry }))
