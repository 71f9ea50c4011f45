// Visits of shoppers, in one store.
import { afterAll } from 'vitest'
import './account.js'
import './back-in-stock.js'
import './privacy-choice.js'
import './restored-cart.js'
import './static-pages.js'
import { closeDemo } from './demo.js'

afterAll(closeDemo)
