import type { BasePayload, Endpoint } from 'payload'
import { adminEndpoint, type EndpointAccess } from '../../core/payload/admin-endpoint.js'
import type { ConsentProofs } from './consent-proof.js'
import { consentProofPath } from './consent-proof-path.js'

interface ProofAccess extends EndpointAccess {
  partsOf: (payload: BasePayload) => Promise<{ consentProofs: ConsentProofs }>
}

/** `GET …/storeconnect/consent-proof.csv`: what shoppers agreed to, one line for each answer. */
export const consentProofEndpoint = ({ partsOf, ...access }: ProofAccess): Endpoint =>
  adminEndpoint(access, {
    method: 'get',
    path: consentProofPath,
    answer: async ({ payload }) => {
      const lines = (await partsOf(payload)).consentProofs.lines()
      const encoder = new TextEncoder()
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const next = await lines.next()
          if (next.done) controller.close()
          else controller.enqueue(encoder.encode(next.value))
        },
        cancel: async () => void (await lines.return(undefined)),
      })
      const headers = {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="consent-proof.csv"',
        'x-content-type-options': 'nosniff',
      }
      return new Response(body, { headers })
    },
  })
