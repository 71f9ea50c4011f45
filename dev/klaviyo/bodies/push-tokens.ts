import { list, nullable, object, oneOf, text } from '../check.ts'
import { anyText } from './fields.ts'

const deviceMetadata = object({
  resource: 'device_metadata',
  fields: {
    device_id: anyText,
    klaviyo_sdk: nullable(
      oneOf('android', 'flutter', 'flutter_community', 'react_native', 'swift'),
    ),
    sdk_version: anyText,
    device_model: anyText,
    os_name: nullable(oneOf('android', 'ios', 'ipados', 'macos', 'tvos')),
    os_version: anyText,
    manufacturer: anyText,
    app_name: anyText,
    app_version: anyText,
    app_build: anyText,
    app_id: anyText,
    environment: nullable(oneOf('debug', 'release')),
  },
})

export const pushTokens = list({
  min: 0,
  max: 1000,
  of: 'tokens',
  item: object({
    resource: 'push-token',
    required: ['token', 'platform', 'vendor'],
    fields: {
      token: text(),
      platform: oneOf('android', 'ios'),
      vendor: oneOf('apns', 'fcm'),
      enablement_status: nullable(
        oneOf('AUTHORIZED', 'DENIED', 'NOT_DETERMINED', 'PROVISIONAL', 'UNAUTHORIZED'),
      ),
      background: nullable(oneOf('AVAILABLE', 'DENIED', 'RESTRICTED')),
      device_metadata: deviceMetadata,
    },
  }),
})
