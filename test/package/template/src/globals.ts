import type { GlobalConfig } from 'payload'
import { isAdmin, isEverybody } from '@/access'

const withLinks = (slug: string): GlobalConfig => ({
  slug,
  access: { read: isEverybody, update: isAdmin },
  fields: [{ name: 'navItems', type: 'array', fields: [{ name: 'label', type: 'text' }] }],
})

export const Header = withLinks('header')
export const Footer = withLinks('footer')
