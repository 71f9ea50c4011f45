export { ConnectionTest } from './connection-test.js'
export { ListField } from './list-field.js'
export { SendActions } from './send-actions.js'
export { SendMessage } from './send-message.js'
