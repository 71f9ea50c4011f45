import { z } from 'zod'
import type { PlatformError } from '../marketing/platform.js'

/** One error of the platform's error document: what we keep of it, and nothing else. */
export interface ApiError {
  code?: string
  title?: string
  detail?: string
  pointer?: string
  /** The query parameter or header that it is about. */
  parameter?: string
}

/** A field that is not as documented is left out; the others still tell something. */
const text = (limit: number) =>
  z
    .string()
    .transform((value) => value.slice(0, limit))
    .optional()
    .catch(undefined)

const apiError = z.object({
  code: text(100),
  title: text(200),
  detail: text(1000),
  source: z
    .object({ pointer: text(300), parameter: text(100) })
    .optional()
    .catch(undefined),
})

const errorDocument = z.object({ errors: z.array(z.unknown()).min(1) })

/** The errors in an error document; undefined for any other document. */
export function readApiErrors(document: unknown): ApiError[] | undefined {
  const read = errorDocument.safeParse(document)
  if (!read.success) return undefined
  const errors = read.data.errors.flatMap((error) => {
    const known = apiError.safeParse(error)
    return known.success ? [withoutBlanks(known.data)] : []
  })
  return errors.length === 0 ? undefined : errors
}

function withoutBlanks({ code, title, detail, source }: z.infer<typeof apiError>): ApiError {
  return {
    ...(code !== undefined && { code }),
    ...(title !== undefined && { title }),
    ...(detail !== undefined && { detail }),
    ...(source?.pointer !== undefined && { pointer: source.pointer }),
    ...(source?.parameter !== undefined && { parameter: source.parameter }),
  }
}

/** For the merchant and the log. The key never gets there, not even when the platform quotes it. */
export function platformError(status: number, apiKey: string, error?: ApiError): PlatformError {
  const shown = (value: string) => value.replaceAll(apiKey, '…')
  return {
    code: shown(error?.code ?? `HTTP_${status}`),
    detail: shown(error?.detail ?? error?.title ?? `The platform answered ${status}.`),
    status,
    ...(error?.pointer !== undefined && { pointer: shown(error.pointer) }),
  }
}
