// One test file, and so one process: two would build the demo store at the same time.
import { afterAll } from 'vitest'
import './account.js'
import './alerts-admin.js'
import './erasure-admin.js'
import './languages-admin.js'
import './lists-admin.js'
import './marketing-admin.js'
import './overview-admin.js'
import './privacy-choice.js'
import './restored-cart.js'
import './shipping-admin.js'
import './static-pages.js'
import './visitor.js'
import { removeFilledStore } from './demo.js'

afterAll(removeFilledStore)
