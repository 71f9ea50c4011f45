import { Pill } from '@payloadcms/ui'
import type { DefaultServerCellComponentProps } from 'payload'
import type { ComponentProps } from 'react'
import { labelText } from '../../core/payload/label.js'
import { adminUrl } from './admin-urls.js'

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

/** In a list: a state by its name, as a chip. In the first column it leads to the document. */
export function StateCell(props: DefaultServerCellComponentProps) {
  const { collectionSlug, field, i18n, link, payload, rowData } = props
  const cellData: unknown = props.cellData
  const options = field.type === 'select' ? field.options : []
  const option = options.find((one) => typeof one === 'object' && one.value === cellData)
  if (typeof option !== 'object') return null
  const to = adminUrl(payload.config, `/collections/${collectionSlug}/${String(rowData.id)}`)
  return (
    <Pill pillStyle={looks[option.value] ?? 'light'} size="small" {...(link && { to })}>
      {labelText(option.label, i18n)}
    </Pill>
  )
}
