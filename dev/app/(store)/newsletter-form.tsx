import config from '@payload-config'
import { getPayload } from 'payload'
import type { Newsletter } from '../../payload-types.ts'
import { CsrfInput, FormGuardInput, RedirectInput } from '../../storeconnect.ts'
import { siteLinks } from './site-links.ts'

/** Seconds in which nobody types an address. */
const minimumSeconds = 1

/** Signs up to the list that the merchant has picked. */
export async function NewsletterForm() {
  const [{ list }, link] = await Promise.all([readNewsletter(), siteLinks()])
  if (!list) return null
  return (
    <form
      action={link('/actions/marketingconnect/api/track')}
      aria-labelledby="newsletter"
      className="newsletter"
      method="post"
    >
      <h2 id="newsletter">Letters from the shop</h2>
      <CsrfInput minimumSeconds={minimumSeconds} />
      <RedirectInput url={link('/thanks')} />
      <FormGuardInput />
      <input name="list" type="hidden" value={list} />
      <input name="subscribe" type="hidden" value="1" />
      <div className="field-row">
        <label htmlFor="newsletter-email">Email</label>
        <input
          autoComplete="email"
          id="newsletter-email"
          maxLength={254}
          name="profile[email]"
          required
          type="email"
        />
        <button type="submit">Sign up</button>
      </div>
      <p className="consent">
        By signing up you agree to get about one letter a month. Every letter has a link that ends
        it.
      </p>
    </form>
  )
}

async function readNewsletter(): Promise<Newsletter> {
  const payload = await getPayload({ config })
  return payload.findGlobal({ slug: 'newsletter' })
}
