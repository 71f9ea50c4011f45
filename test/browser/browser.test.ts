// One test file, and so one process: two would build the demo store at the same time.
import './marketing-admin.js'
import './shipping-admin.js'
import './visitor.js'
