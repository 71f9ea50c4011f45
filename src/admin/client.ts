export { ConnectionTest } from './connection-test.js'
