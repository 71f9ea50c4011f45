import { TestBrowser } from './browser.js'
import type { TestStore } from './store.js'

export const openVisitorBrowser = (handle: TestStore['handle']) => new TestBrowser({ handle })
