'use client'

export { BrowserCart, type BrowserCartProps } from './browser-cart.js'
