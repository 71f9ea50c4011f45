import type { NewSend } from '../../delivery/send.js'
import type { Outbox } from '../../delivery/outbox.js'
import { Problem } from '../../errors.js'
import { isRobot } from '../../http/form-guard.js'
import type { PostThrottle } from '../../http/post-throttle.js'
import type { MessageHooks } from '../../marketing/message-hooks.js'
import type { LeaveOut } from '../../marketing/left-out.js'
import type { MarketingSettings } from '../../settings/marketing-settings.js'
import type { Log } from '../../store/log.js'
import type { SettingsSource } from '../../store/settings-source.js'
import { formAction, formReply, type FormParts } from '../form-action.js'
import type { FormVisit } from '../visit.js'
import type { Forwards } from '../forward.js'
import type { Action } from '../visit.js'
import { hookedSends } from './hooked-sends.js'
import { createLeftOutLog } from './left-out-log.js'

/** What identify and track are built with. */
export interface MarketingActionParts {
  form: FormParts
  forwards: Forwards
  throttle: PostThrottle
  settings: Pick<SettingsSource, 'marketing'>
  outbox: Pick<Outbox, 'store'>
  /** What the store's developer changes or keeps back of each message. */
  hooks: MessageHooks
  log: Log
  now: () => Date
}

/** A post that is taken, with all that is needed to read it. */
export interface MarketingPost {
  form: FormVisit
  settings: MarketingSettings
  now: Date
  leaveOut: LeaveOut
}

/**
 * A form action that tells the marketing platform something: it stores what `readSends` makes of
 * the post, and answers once that is stored for good. The platform is never called here.
 */
export function marketingAction(
  action: 'identify' | 'track',
  parts: MarketingActionParts,
  readSends: (post: MarketingPost) => Promise<NewSend[]>,
): Action {
  return formAction(parts.form, async (form) => {
    const forward = parts.forwards.find(form.tree)
    const settings = await parts.settings.marketing()
    await requireRoom(form, settings, parts.throttle)

    const now = parts.now()
    const about = { requestId: form.requestId, action }
    if (isRobot(form.token, form.tree, now)) {
      // Answered like any other, so that it learns nothing.
      parts.log.info(about, 'Post of a robot not taken')
    } else {
      const { leaveOut, write } = createLeftOutLog(parts.log)
      const read = await readSends({ form, settings, now, leaveOut })
      const sends = await hookedSends(read, { hooks: parts.hooks, log: parts.log, about })
      write(about)
      if (sends.length > 0) await parts.outbox.store(sends)
      else parts.log.info(about, 'Post names nobody to tell the marketing platform of')
    }
    return forward === undefined ? formReply(form, { ajax: 'success' }) : forward(form.visit)
  })
}

/** @throws {Problem} POSTS_THROTTLED. */
async function requireRoom(
  { clientIp }: FormVisit,
  settings: MarketingSettings,
  throttle: PostThrottle,
): Promise<void> {
  const seconds = await throttle.secondsToWait(clientIp, settings)
  if (seconds === 0) return
  throw new Problem('POSTS_THROTTLED', {
    headers: { 'retry-after': String(seconds) },
    log: { clientIp },
  })
}
