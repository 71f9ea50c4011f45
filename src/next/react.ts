'use client'

export { BrowserCart, type BrowserCartProps } from './browser-cart.js'
export { FlashNotices, type FlashNoticesProps } from './flash-notices.js'
export { SessionCart, type SessionCartProps } from './session-cart.js'
