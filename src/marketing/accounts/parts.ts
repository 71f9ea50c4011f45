import { defineParts } from '../../core/feature.js'
import type { Shop } from '../../core/shop.js'
import { emailIsUnchanged } from '../../carts/accounts/verified-email.js'
import { createCustomerConsents } from './customer-consents.js'
import { createAccountProfiles, type AccountShopOptions } from './account-profile.js'

export type AccountProfilesParts = ReturnType<typeof build>

function build(shop: Shop<AccountShopOptions>) {
  const { database, customersSlug } = shop
  return {
    profileOf: createAccountProfiles(shop),
    customerConsents: createCustomerConsents(database, { customersSlug, emailIsUnchanged }),
  }
}

export const accountProfilesParts = defineParts({ build })
