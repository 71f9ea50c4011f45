import { both, list, object, oneOf } from '../check.ts'
import { data, job, reference, resource } from './document.ts'
import { email, phoneNumber } from './fields.ts'
import { reachable } from './subscription-body.ts'

const consent = object({
  resource: 'subscription',
  required: ['consent'],
  fields: { consent: oneOf('UNSUBSCRIBED') },
})

const channel = (name: string, fields: Record<string, typeof consent>) =>
  object({ resource: name, fields })

/** Who leaves what: revision 2026-04-15, at most 100 profiles in a call. */
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
                      email: channel('email', { marketing: consent }),
                      sms: channel('sms', { marketing: consent, transactional: consent }),
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
