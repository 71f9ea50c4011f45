import type { FieldHook, TextField, TextFieldSingleValidation } from 'payload'
import { redirectTarget } from '../../http/redirect-target.js'
import { label, type TranslationKey } from './label.js'

type IsGood = (value: string) => boolean

const valid =
  (isGood: IsGood, problem: TranslationKey): TextFieldSingleValidation =>
  (value, { req, required }) => {
    if (!value) return !required || req.t('validation:required')
    return isGood(value.trim()) || label(problem)(req)
  }

const trimmed: FieldHook = ({ value }: { value?: unknown }) =>
  typeof value === 'string' ? value.trim() : value

const withoutEndSlash: FieldHook = ({ value }: { value?: unknown }) =>
  typeof value === 'string' ? value.trim().replace(/\/+$/, '') : value

export const handleField = (): TextField => ({
  name: 'handle',
  type: 'text',
  label: label('siteHandle'),
  required: true,
  unique: true,
  hooks: { beforeValidate: [trimmed] },
  validate: valid((value) => /^[a-z\d-]+$/.test(value), 'siteHandleInvalid'),
})

export const baseUrlField = (): TextField => ({
  name: 'baseUrl',
  type: 'text',
  label: label('siteBaseUrl'),
  required: true,
  admin: { description: label('siteBaseUrlDescription') },
  hooks: { beforeValidate: [withoutEndSlash] },
  validate: valid(isBaseUrl, 'siteBaseUrlInvalid'),
})

export const cartUrlField = (): TextField => ({
  name: 'cartUrl',
  type: 'text',
  label: label('siteCartUrl'),
  admin: { description: label('siteCartUrlDescription') },
  hooks: { beforeValidate: [trimmed] },
  validate: valid(isRedirectTarget, 'siteCartUrlInvalid'),
})

export const languageField = (): TextField => ({
  name: 'language',
  type: 'text',
  label: label('siteLanguage'),
  admin: { description: label('siteLanguageDescription') },
  hooks: { beforeValidate: [trimmed] },
  validate: valid(isLanguage, 'siteLanguageInvalid'),
})

/** An absolute http(s) URL of a place, which has no query, fragment or login. */
function isBaseUrl(text: string): boolean {
  return /^https?:\/\/[^?#]+$/i.test(text) && isRedirectTarget(text)
}

function isRedirectTarget(text: string): boolean {
  try {
    redirectTarget(text)
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** BCP 47, as in HTML's `lang`. */
function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
