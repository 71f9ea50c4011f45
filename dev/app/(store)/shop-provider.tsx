'use client'

import { EcommerceProvider } from '@payloadcms/plugin-ecommerce/client/react'
import type { ReactNode } from 'react'
import { currencies } from '../../currencies.ts'

const currenciesConfig = { defaultCurrency: 'USD', supportedCurrencies: currencies }

const paymentMethods = [
  { name: 'demo', label: 'Demo payment', confirmOrder: true, initiatePayment: true },
]

/** The extension's own cart and payments, for the parts of the shop that run in the browser. */
export const ShopProvider = ({ children }: { children: ReactNode }) => (
  <EcommerceProvider
    currenciesConfig={currenciesConfig}
    enableVariants
    paymentMethods={paymentMethods}
  >
    {children}
  </EcommerceProvider>
)
