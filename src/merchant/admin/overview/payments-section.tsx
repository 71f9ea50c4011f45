import { Link } from '@payloadcms/ui'
import type { TranslationKey } from '../../../core/payload/label.js'
import type { OpenPayment } from '../../../shop/payments/open-payments.js'
import type { PaymentProblem } from '../../../shop/payments/payment-problem.js'
import { FinishOrderButton } from '../finish-order.js'
import type { ComparedDay } from '../../../shop/payments/compared-amounts.js'
import type { Words } from '../words.js'
import { RowsTable, Section } from './section.js'

const problems: Readonly<Record<PaymentProblem, TranslationKey>> = {
  stuck: 'paymentStuck',
  unordered: 'paymentUnordered',
  twice: 'paymentTwice',
}

interface PaymentsProps {
  payments: readonly OpenPayment[]
  /** The list of payments in the admin. */
  paymentsUrl: string
  words: Words
}

/** Payments with which something is wrong, each with the button that makes its order. */
export function PaymentsSection({ payments, paymentsUrl, words }: PaymentsProps) {
  const { translate, moment } = words
  return (
    <Section heading={translate('paymentsToFinish')}>
      <RowsTable
        columns={{
          payment: translate('since'),
          person: translate('paymentPerson'),
          lines: translate('paymentLines'),
          problem: translate('paymentProblem'),
        }}
        name="payments"
        rows={payments.map(({ id, amount, begunAt, person, lines, problem }) => ({
          id: String(id),
          cells: [
            <Link href={`${paymentsUrl}/${id}`} key="payment">
              {amount}, {moment(begunAt)}
            </Link>,
            person,
            lines.join(', '),
            <div key="problem">
              {translate(problems[problem])}{' '}
              {problem !== 'twice' && <FinishOrderButton id={String(id)} />}
            </div>,
          ],
        }))}
      />
    </Section>
  )
}

interface ComparedProps {
  compared: readonly ComparedDay[]
  words: Words
}

/** What was paid and ordered, day by day. */
export function ComparedSection({ compared, words: { translate, day: dayText } }: ComparedProps) {
  return (
    <Section heading={translate('paymentsCompared')}>
      <p>{translate('paymentsComparedIntro')}</p>
      <RowsTable
        columns={{
          day: translate('paymentsComparedDay'),
          paid: translate('paymentsComparedPaid'),
          ordered: translate('paymentsComparedOrdered'),
          difference: translate('paymentsComparedDifference'),
        }}
        name="compared"
        rows={compared.map(({ day, paid, ordered, difference }) => ({
          id: `${day} ${paid}`,
          cells: [dayText(day), paid, ordered, difference],
        }))}
      />
    </Section>
  )
}
