import { storeConfig } from '../../support/store-config.js'

// Payload's command line reads this one; payload-command.test.ts runs it.
const { STORE_URL = '' } = process.env

export default storeConfig({ kind: 'sqlite', url: STORE_URL, userAuth: { verify: true } })
