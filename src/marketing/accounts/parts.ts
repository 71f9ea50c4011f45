import { defineParts } from '../../core/feature.js'
import type { Shop } from '../../core/shop.js'
import { createAccountProfiles, type AccountShopOptions } from './account-profile.js'

export type AccountProfilesParts = ReturnType<typeof build>

const build = (shop: Shop<AccountShopOptions>) => ({ profileOf: createAccountProfiles(shop) })

export const accountProfilesParts = defineParts({ build })
