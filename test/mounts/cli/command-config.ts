import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { storeConfig } from '../../support/store-config.js'

// Payload's command line reads this one; payload-command.test.ts runs it.
const { STORE_URL = '', KLAVIYO_URL: apiUrl } = process.env

export default storeConfig({
  kind: 'sqlite',
  url: STORE_URL,
  userAuth: { verify: true },
  ...(apiUrl && { options: { marketing: { apiUrl, settings: { privateApiKey: demoApiKey } } } }),
})
