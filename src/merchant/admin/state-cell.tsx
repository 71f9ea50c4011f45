import { Pill } from '@payloadcms/ui'
import type { DefaultServerCellComponentProps } from 'payload'
import type { ComponentProps } from 'react'
import { labelText } from '../../core/payload/label.js'

/** What a merchant looks for first: what went well, what did not, and what is not over. Others have no colour. */
const looks: Readonly<Record<string, ComponentProps<typeof Pill>['pillStyle']>> = {
  accepted: 'success',
  complete: 'success',
  done: 'success',
  sent: 'success',
  failed: 'error',
  stopped: 'error',
  queued: 'warning',
  running: 'warning',
  sending: 'warning',
  'under-way': 'warning',
  waiting: 'warning',
}

/** In a list: a state by its name, as a chip. */
export function StateCell({ cellData, field, i18n }: DefaultServerCellComponentProps) {
  const options = field.type === 'select' ? field.options : []
  const option = options.find((one) => typeof one === 'object' && one.value === cellData)
  if (typeof option !== 'object') return null
  return (
    <Pill pillStyle={looks[option.value] ?? 'light'} size="small">
      {labelText(option.label, i18n)}
    </Pill>
  )
}
