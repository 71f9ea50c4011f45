import type { ConsentOffers } from '../../marketing/consent/checkout-consent.js'

/** What a checkout asks. */
export type CheckoutConsentProps = CheckoutQuestion & (SmsQuestion | { sms?: undefined })

interface CheckoutQuestion {
  /** What the group of boxes is about, such as "News from the shop". */
  legend: string
  /** The wording beside the box for email. Without it, email is not asked about. */
  email?: string
  /** Your name for this wording, such as `2026-03`. Change it whenever the wording changes. */
  version: string
  /** The page's URL or path, for the proof. Default: the URL of the page. */
  page?: string
  className?: string
}

interface SmsQuestion {
  /** The wording beside the box for text messages. Without it, they are not asked about. */
  sms: string
  /** The label of the phone number's field, such as "Phone number, such as +44 7400 123456". */
  phoneLabel: string
}

type ConsentBoxesProps = CheckoutConsentProps & { offers: ConsentOffers; page: string }

/** Boxes that are not ticked, and a signed hidden field with the wording, its version and the page. */
export function ConsentBoxes({ offers, className, ...asked }: ConsentBoxesProps) {
  const { legend, email, sms, version, page } = asked
  const offer = offers.sign({
    version,
    page,
    ...(email !== undefined && { email }),
    ...(sms !== undefined && { sms }),
  })
  return (
    <fieldset className={className}>
      <legend>{legend}</legend>
      <input name="consent[offer]" type="hidden" value={offer} />
      {email !== undefined && <ConsentBox name="consent[email]" wording={email} />}
      {sms !== undefined && (
        <>
          <ConsentBox name="consent[sms]" wording={sms} />
          <label className="field">
            {asked.phoneLabel}
            <input autoComplete="tel" maxLength={40} name="consent[phone]" type="tel" />
          </label>
        </>
      )}
    </fieldset>
  )
}

const ConsentBox = ({ name, wording }: { name: string; wording: string }) => (
  <label className="choice">
    <input name={name} type="checkbox" value="1" />
    <span>{wording}</span>
  </label>
)
