/** What a shopper reads when a payment did not work. The extension's errors are JSON in a text. */
export function paymentProblem(error: unknown): string {
  const answer = answerIn(error)
  if (codeOf(answer?.cause) === 'OutOfStock') {
    return 'Something in your cart is sold out. Nothing was charged; please take it out and try again.'
  }
  return 'The payment did not work, and nothing was charged. Please try again.'
}

function answerIn(error: unknown): { cause?: unknown } | undefined {
  if (!(error instanceof Error)) return undefined
  try {
    const answer: unknown = JSON.parse(error.message)
    return typeof answer === 'object' && answer !== null ? answer : undefined
  } catch {
    // Not the server's: the network was away, for one.
    return undefined
  }
}

const codeOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
