// Visits of merchants who leave each other alone, in one store.
import { afterAll } from 'vitest'
import './alerts-admin.js'
import './erasure-admin.js'
import './marketing-admin.js'
import './shipping-admin.js'
import { closeDemo } from './demo.js'

afterAll(closeDemo)
