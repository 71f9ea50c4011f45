import { EcommerceProvider } from '@payloadcms/plugin-ecommerce/client/react'
import type { ReactNode } from 'react'

export const Providers = ({ children }: { children: ReactNode }) => (
  <EcommerceProvider
    enableVariants
    api={{
      cartsFetchQuery: {
        depth: 2,
        populate: { products: { slug: true, title: true, inventory: true } },
      },
    }}
  >
    {children}
  </EcommerceProvider>
)
