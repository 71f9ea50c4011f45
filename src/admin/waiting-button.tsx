'use client'

import { Button } from '@payloadcms/ui'
import type { ComponentProps } from 'react'

type WaitingButtonProps = Omit<ComponentProps<typeof Button>, 'disabled' | 'extraButtonProps'> & {
  /** Whether what it began is still under way: a second press is nothing then. */
  isBusy: boolean
}

/** A button that keeps the keyboard's place while it waits, which a disabled one loses. */
export const WaitingButton = ({ isBusy, type = 'button', ...props }: WaitingButtonProps) => (
  <Button
    {...props}
    disabled={isBusy}
    extraButtonProps={{ disabled: false }}
    type={isBusy ? 'button' : type}
  />
)
