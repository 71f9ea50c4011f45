import { Problem } from '../../errors.js'
import { looseTextParameter, type ParameterTree } from '../../http/parameters.js'
import { isCoupon, linkQuery, type RestoreLink } from '../../http/restore-link.js'

/** Marks a link that a visitor was sent on with, so that nobody is sent around in circles. */
export const movedParameter = 'moved'

/** What came along with a campaign's link stays on it; links of mails have a handful. */
const campaignLimit = 10
const campaignTextLimit = 200
const campaignNames = /^(?:utm_[a-z\d_]{1,30}|_kx)$/

/** What a visitor who opened a restore link asks for. */
export interface RestoreRequest {
  link: RestoreLink
  /** Whether the visitor was sent here by the same link on another site. */
  hasMoved: boolean
  /** `utm_source` and its likes. */
  campaign: readonly (readonly [name: string, value: string])[]
}

/** @throws {Problem} CART_NUMBER_MISSING when there is no number, or a blank one. */
export function readRestoreRequest(tree: ParameterTree): RestoreRequest {
  const text = (name: string) => looseTextParameter(tree, name)
  const number = text('number')?.trim().toLowerCase() ?? ''
  if (number === '') throw new Problem('CART_NUMBER_MISSING')
  const coupon = text('coupon')
  return {
    link: {
      number,
      coupon: coupon !== undefined && isCoupon(coupon) ? coupon : undefined,
      expires: text('expires'),
      signature: text('signature'),
    },
    hasMoved: text(movedParameter) !== undefined,
    campaign: Object.keys(tree)
      .filter((name) => campaignNames.test(name))
      .flatMap((name) => {
        const value = text(name) ?? ''
        return value !== '' && value.length <= campaignTextLimit ? [[name, value] as const] : []
      })
      .slice(0, campaignLimit),
  }
}

/** The query of the same link again. What was not understood is left out. */
export function queryOf({ link, hasMoved, campaign }: RestoreRequest): URLSearchParams {
  const query = linkQuery(link)
  for (const [name, value] of campaign) query.set(name, value)
  if (hasMoved) query.set(movedParameter, '1')
  return query
}

/** A URL with what came along with the link. */
export function withCampaign(url: string, { campaign }: Pick<RestoreRequest, 'campaign'>): string {
  if (campaign.length === 0) return url
  const target = new URL(url)
  for (const [name, value] of campaign) target.searchParams.set(name, value)
  return target.href
}
