import type { Plugin } from 'payload'
import { shopConfig, type ShopSetup } from './shop-config.js'

// Payload's command line reads this one, with the edition that is named.
const { SHOP_KIND = '', SHOP_URL = '', SHOP_MIGRATIONS = '', STORECONNECT = '' } = process.env

const { storeConnect } = (await import(STORECONNECT)) as { storeConnect: () => Plugin }

export default shopConfig({
  kind: SHOP_KIND as ShopSetup['kind'],
  url: SHOP_URL,
  migrationDir: SHOP_MIGRATIONS,
  plugin: storeConnect(),
})
