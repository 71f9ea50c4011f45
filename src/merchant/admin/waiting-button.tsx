'use client'

import { Button } from '@payloadcms/ui'
import type { ComponentProps } from 'react'

type WaitingButtonProps = Omit<ComponentProps<typeof Button>, 'disabled' | 'extraButtonProps'> & {
  /** Whether its work is still under way. A press then does nothing. */
  isBusy: boolean
}

/** A button that keeps the focus while it waits. A disabled button would lose it. */
export const WaitingButton = ({ isBusy, type = 'button', ...props }: WaitingButtonProps) => (
  <Button
    {...props}
    disabled={isBusy}
    extraButtonProps={{ disabled: false }}
    type={isBusy ? 'button' : type}
  />
)
