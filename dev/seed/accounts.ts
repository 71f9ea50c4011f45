export interface Account {
  email: string
  firstName: string
  lastName: string
  password: string
  phone: string
  role: 'admin' | 'customer'
}

/** Who can log in to a fresh store. */
export const accounts: Account[] = [
  {
    email: 'admin@example.com',
    firstName: 'Ada',
    lastName: 'Keeper',
    password: 'demo-admin',
    phone: '+4930901820',
    role: 'admin',
  },
  {
    email: 'zofia@example.com',
    firstName: 'Zofia',
    lastName: 'Wójcik',
    password: 'demo-zofia',
    phone: '+48221234567',
    role: 'customer',
  },
  {
    email: 'daniel@example.com',
    firstName: 'Daniel',
    lastName: 'Reyes',
    password: 'demo-daniel',
    phone: '+15035550142',
    role: 'customer',
  },
]
