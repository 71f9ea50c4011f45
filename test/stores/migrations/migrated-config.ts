import type { SanitizedConfig } from 'payload'
import { de } from 'payload/i18n/de'
import { storeConnect } from '../../../src/plugin.js'
import type { StoreConnectOptions } from '../../../src/plugin/options.js'
import { testCredentials } from '../../support/store-config.js'
import { shopConfig, type ShopSetup } from '../../upgrades/shop/shop-config.js'

export interface MigratedSetup extends Pick<ShopSetup, 'kind' | 'url' | 'migrationDir'> {
  /** Storeconnect's options; undefined for the store as it was before. */
  options: StoreConnectOptions | undefined
}

/** A store that never pushes its schema: its database changes with migrations only. */
export const migratedConfig = ({ options, ...setup }: MigratedSetup): Promise<SanitizedConfig> =>
  options === undefined
    ? // Payload keeps the texts of a language once a process: in English, ours would be left out.
      shopConfig({ ...setup, plugin: (config) => config, languages: { de } })
    : shopConfig({
        ...setup,
        plugin: storeConnect({
          ...options,
          shipping: options.shipping !== false && { settings: testCredentials },
        }),
      })
