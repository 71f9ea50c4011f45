import type { EmailAdapter } from 'payload'

/** Sends nothing: notes in the log what it would have been about. */
export const emailToLog: EmailAdapter = ({ payload }) => ({
  name: 'log',
  defaultFromAddress: 'shop@example.com',
  defaultFromName: 'Kettle & Quill',
  sendEmail({ subject }) {
    payload.logger.info(`An e-mail would have been sent: ${String(subject)}`)
    return Promise.resolve()
  },
})
