import { useId } from 'react'
import type { CatalogStatus } from '../../../marketing/catalog/parts.js'
import type { Words } from '../words.js'
import { Fact, FactList, Moment, Section } from './section.js'

/** How much of the catalog is at Klaviyo as the shop has it. The page renews itself. */
export function CatalogSection({ status, words }: { status: CatalogStatus; words: Words }) {
  const { translate, number } = words
  const labelId = useId()
  const { wanted, done, refused, comparedAt, comparingSince, hasUrl } = status
  return (
    <Section heading={translate('catalogAtKlaviyo')}>
      <p id={labelId}>
        {hasUrl
          ? translate('catalogDone', { done: number(done), total: number(wanted) })
          : translate('catalogNoUrl')}
      </p>
      {done < wanted && <progress aria-labelledby={labelId} value={done / wanted} />}
      <FactList>
        <Fact name={translate('catalogRefusedCount')}>{number(refused)}</Fact>
        <Fact name={translate('catalogCompared')}>
          {comparingSince === undefined ? (
            <Moment at={comparedAt} words={words} />
          ) : (
            translate('catalogComparing')
          )}
        </Fact>
      </FactList>
    </Section>
  )
}
