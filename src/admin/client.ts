export { ConnectionTest } from './connection-test.js'
export { SendActions } from './send-actions.js'
