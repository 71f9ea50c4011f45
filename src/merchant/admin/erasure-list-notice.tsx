import type { BeforeListTableServerProps } from 'payload'
import { Notice } from './notice.js'
import { installedIn } from '../../core/installation.js'
import { createWords } from './words.js'

/** Says above the list of accounts that a deletion erases, to whoever may delete there. */
export async function ErasureListNotice({
  hasDeletePermission,
  i18n,
  payload,
}: BeforeListTableServerProps) {
  const settings = await (await installedIn(payload))?.marketingSettings?.get()
  if (!hasDeletePermission || !settings?.accountDeletions) return null
  const { translate } = createWords(i18n)

  return (
    <Notice type="warning">
      {translate('erasureOfAccounts')} {translate('erasureWarning')}
    </Notice>
  )
}
