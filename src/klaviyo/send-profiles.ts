import { z } from 'zod'
import type { Message } from '../marketing/message.js'
import type { CallAnswer, CallOptions, Outcome } from '../marketing/platform.js'
import type { Profile } from '../marketing/profile.js'
import { makeCall, type CallParts } from './call.js'
import { judgeItems, withFitItems } from './fit-items.js'
import { importBody, importEntries } from './import-body.js'
import { unreadableAnswer } from './meaning.js'
import { profileBody } from './profile-body.js'
import { refusedAs, suspectAs } from './refusals.js'
import { unfitProfile } from './unfit.js'

export async function sendProfile(
  parts: CallParts,
  profile: Profile,
  options: CallOptions,
): Promise<CallAnswer> {
  return withFitItems([profile], [unfit(profile)], () =>
    makeCall(
      parts,
      {
        request: { method: 'POST', path: '/api/profile-import', body: profileBody(profile) },
        batch: { size: 1, itemsAt: () => [0], messageAt: () => ({ kind: 'identify', profile }) },
      },
      options,
    ),
  )
}

export async function sendImport(
  parts: CallParts,
  profiles: readonly Profile[],
  options: CallOptions & { list?: string },
): Promise<CallAnswer> {
  const { list } = options
  const judged = judgeItems(profiles, unfit, {
    of: importEntries,
    unfit: ({ profile }) => suspectAs(unfitProfile(profile)),
  })
  return withFitItems(profiles, judged, (fit) => {
    const entries = importEntries(fit)
    const body = importBody(entries, list)
    return makeCall(
      parts,
      {
        request: { method: 'POST', path: '/api/profile-bulk-import-jobs', body },
        batch: {
          size: fit.length,
          itemsAt: (pointer) => entries[profileIndexAt(pointer)]?.indexes ?? [],
          messageAt: (index) => fit[index] && messageOf(fit[index], list),
          ...(list !== undefined && { list }),
        },
        delivered: imported,
      },
      options,
    )
  })
}

const unfit = (profile: Profile): Outcome | undefined => refusedAs(unfitProfile(profile))

const messageOf = (profile: Profile, list: string | undefined): Message =>
  list === undefined ? { kind: 'identify', profile } : { kind: 'list-add', profile, list }

const jobDocument = z.object({ data: z.object({ id: z.string().min(1) }) })

/** Without the job's id its errors cannot be asked for. To import again changes nothing. */
function imported(document: unknown): Outcome {
  const job = jobDocument.safeParse(document)
  return job.success
    ? { is: 'delivered', job: job.data.data.id }
    : { is: 'later', error: unreadableAnswer(202), costsAttempt: true }
}

/** Which of a body's profiles a pointer names; NaN when it names none. */
export const profileIndexAt = (pointer: string): number =>
  Number(/\/profiles\/data\/(\d{1,6})/.exec(pointer)?.[1])
