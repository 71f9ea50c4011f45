import type { RateReading } from '../marketing/platform.js'

/** The steady window, in seconds. */
const steadyWindow = 60

/**
 * What an answer says of the limits. `RateLimit-Limit` is a number (`150`) or also lists its windows
 * (`150, 10;w=1, 150;w=60`); of those the one of a minute counts. A 429 has `Retry-After` alone.
 */
export function readRate(status: number, headers: Headers, now: Date): RateReading | undefined {
  const readings = Object.entries({
    limit: readLimit(headers.get('ratelimit-limit')),
    remaining: readCount(headers.get('ratelimit-remaining')),
    resetSeconds: readCount(headers.get('ratelimit-reset')),
    retryAfterSeconds: status === 429 ? readRetryAfter(headers, now) : undefined,
  } satisfies Record<keyof RateReading, number | undefined>)
  const told = readings.filter(([, value]) => value !== undefined)
  return told.length === 0 ? undefined : Object.fromEntries(told)
}

/** The longest wait that is believed: a slip of the platform's must not stop a shop for years. */
const longestRetryAfter = 60 * 60

/** Seconds that `Retry-After` asks to wait, be it a number or a date; an hour at most. */
export function readRetryAfter(headers: Headers, now: Date): number | undefined {
  const seconds = readSeconds(headers, now)
  return seconds === undefined ? undefined : Math.min(longestRetryAfter, seconds)
}

function readSeconds(headers: Headers, now: Date): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (value === undefined || value === '') return undefined
  if (/^\d{1,9}(\.\d{1,9})?$/.test(value)) return Math.ceil(Number(value))
  const at = /^[A-Za-z]/.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000))
}

function readLimit(header: string | null): number | undefined {
  const entries = (header ?? '').split(',')
  const windowed = entries.flatMap((entry) => {
    const [count, ...attributes] = entry.split(';').map((part) => part.trim())
    const isSteady = attributes.includes(`w=${steadyWindow}`)
    return isSteady ? (readCount(count ?? null) ?? []) : []
  })
  // Without windows there is one number. With others only, it would be the limit of a second.
  const plain = entries.length === 1 ? readCount(header) : undefined
  return windowed[0] ?? plain
}

function readCount(header: string | null): number | undefined {
  const value = header?.trim() ?? ''
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined
}
