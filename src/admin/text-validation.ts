import type { TextFieldClientProps, Validate } from 'payload'
import { useCallback } from 'react'

/** The check that Payload gives a text field, with what the field's own config says. */
export function useTextValidation({
  field: { hasMany, minRows, maxRows, required },
  validate,
}: Pick<TextFieldClientProps, 'field' | 'validate'>): Validate {
  return useCallback<Validate>(
    (value, options) =>
      validate?.(value as never, { ...options, hasMany, minRows, maxRows, required } as never) ??
      true,
    [validate, hasMany, minRows, maxRows, required],
  )
}
