import { Banner } from '@payloadcms/ui'
import type { ReactNode } from 'react'

interface NoticeProps {
  type?: 'default' | 'error' | 'info' | 'success' | 'warning'
  className?: string
  children: ReactNode
}

/** The names of the two types that Payload 3 and Payload 4 call differently; each styles the one that it knows. */
const looks = {
  default: '',
  error: 'banner--type-error banner--type-danger',
  info: 'banner--type-info banner--type-brand',
  success: 'banner--type-success',
  warning: 'banner--type-warning',
}

export const Notice = ({ type = 'default', className = '', children }: NoticeProps) => (
  <Banner className={`${looks[type]} ${className}`}>{children}</Banner>
)
