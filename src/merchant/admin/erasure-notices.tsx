import type { UIFieldServerProps, BeforeListTableServerProps } from 'payload'
import { Notice } from './notice.js'
import { installedIn } from '../../core/installation.js'
import { foundCounts, whatStays } from './erasure-words.js'
import { createWords } from './words.js'

/** Says on the page of an account what its deletion erases, to whoever may delete it. */
export async function ErasureNotice({ id, i18n, payload, req }: UIFieldServerProps) {
  if (id === undefined) return null
  const preview = await (await installedIn(payload))?.erasures.previewDeletion(id, req)
  if (preview === undefined) return null
  const { found, orders, keepFields, emailsAtKlaviyo } = preview
  const words = createWords(i18n)
  const { translate } = words

  return (
    <div className="field-type">
      <Notice type="warning">
        <p>{translate('erasureOfAccount')}</p>
        <ul>
          <li>{foundCounts(words, found)}</li>
          {orders === 'keep' ? (
            <li>{translate('erasureKeepsOrders')}</li>
          ) : (
            <li>
              {translate('erasureAnonymisesOrders')} {whatStays(words, keepFields)}
            </li>
          )}
          <li>
            {emailsAtKlaviyo.length > 0
              ? translate('erasureAtKlaviyo', { emails: emailsAtKlaviyo.join(', ') })
              : translate('erasureNotAtKlaviyo')}
          </li>
        </ul>
        <p>{translate('erasureWarning')}</p>
      </Notice>
    </div>
  )
}

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
