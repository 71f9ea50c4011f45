import { both, list, object, oneOf, type Check } from '../check.ts'
import { data, job, reference, resource } from './document.ts'
import { email, phoneNumber } from './fields.ts'
import { pushTokens } from './push-tokens.ts'
import { reachable } from './subscription-body.ts'

const consent = object({
  resource: 'subscription',
  required: ['consent'],
  fields: { consent: oneOf('UNSUBSCRIBED') },
})

const channel = (name: string, fields: Record<string, Check>, required: string[] = []) =>
  object({ resource: name, fields, required })

/** Who leaves what: revision 2026-07-15, at most 100 profiles in a call. */
export const unsubscriptionsBody = job('profile-subscription-bulk-delete-job', {
  required: ['profiles'],
  fields: {
    profiles: data(
      list({
        item: both(
          resource('profile', {
            required: ['attributes'],
            fields: {
              attributes: object({
                resource: 'profile',
                required: ['subscriptions'],
                fields: {
                  email,
                  phone_number: phoneNumber,
                  subscriptions: object({
                    resource: 'subscriptions',
                    fields: {
                      email: channel('email', { marketing: consent, open_tracking: consent }),
                      sms: channel('sms', { marketing: consent, transactional: consent }),
                      whatsapp: channel('whatsapp', {
                        marketing: consent,
                        transactional: consent,
                        conversational: consent,
                      }),
                      push: channel('push', { marketing: consent, tokens: pushTokens }, [
                        'marketing',
                        'tokens',
                      ]),
                    },
                  }),
                },
              }),
            },
          }),
          reachable,
        ),
        max: 100,
        of: 'profiles',
      }),
    ),
  },
  relationships: object({
    resource: 'relationships',
    fields: { list: object({ resource: 'list', fields: { data: reference('list') } }) },
  }),
})
