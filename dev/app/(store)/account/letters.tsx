import type { User } from '../../../payload-types.ts'
import { CsrfInput, RedirectInput } from '../../../storeconnect.ts'
import { siteLinks } from '../site-links.ts'

interface LettersProps {
  customer: User
  /** Whether one of the buttons was just pressed. */
  isAsked: boolean
}

const words = {
  subscribed: 'You get our letters by email.',
  unsubscribed: 'You have left our letters.',
  never: 'You do not get our letters yet.',
}

/** Says whether the customer gets letters, and lets them come and go. */
export async function Letters({ customer, isAsked }: LettersProps) {
  const link = await siteLinks()
  return (
    <>
      <h2>Letters from us</h2>
      <p role="status">
        {isAsked
          ? 'Thank you. This page shows it within half an hour.'
          : words[customer.emailConsent?.status ?? 'never']}
      </p>
      <form action={link('/actions/marketingconnect/api/identify')} method="post">
        <CsrfInput />
        <RedirectInput url={link('/account?letters=asked')} />
        <input name="email" type="hidden" value={customer.email} />
        <p className="field-row">
          <button name="subscribe" type="submit" value="1">
            Send me letters
          </button>
          <button name="subscribe" type="submit" value="0">
            Send me no more letters
          </button>
        </p>
      </form>
    </>
  )
}
