import type { Logger } from 'pino'
import type { Config } from '../config/settings.ts'
import { canonicalEmail, isEmail, maskEmails } from '../values/email.ts'
import { finalFailure } from '../lib/final-failure.ts'
import { mails } from '../telemetry/metrics.ts'

export interface Mail {
  /** The log names this kind of mail. */
  kind: string
  /** This is the only recipient. */
  to: string
  subject: string
  text: string
  html: string
  /** The id is the same for every attempt to send this mail, so that mail programs recognise a repetition. */
  id: string
  /** The mail is about this address; it is written to the log when there is no mail server. */
  link: string
  /** A POST to this address stops mails of this kind (RFC 8058). */
  unsubscribe?: string
}

export interface Mailer extends AsyncDisposable {
  /**
   * Hands a mail to the mail server, or throws; the error is `final` when the server will never
   * take this mail.
   */
  send: (mail: Mail, signal?: AbortSignal) => Promise<void>
}

type MailerConfig = Pick<Config, 'smtpUrl' | 'mailFrom' | 'production'>

/** Sends mails by the server of SMTP_URL, or logs them without one. It connects when the first mail is sent. */
export async function openMailer(
  { smtpUrl, mailFrom, production }: MailerConfig,
  log: Logger,
): Promise<Mailer> {
  if (!smtpUrl)
    return {
      send: async ({ kind, to, link }) =>
        log.info(
          { kind, to: maskEmails(to), ...(!production && { link }) },
          'a mail was not sent, because SMTP_URL is not set',
        ),
      [Symbol.asyncDispose]: async () => {},
    }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ ...transportDefaults, requireTLS: needsTls(smtpUrl), url: smtpUrl })
  const domain = mailFrom.address.split('@').at(-1)!
  return {
    send: async (mail, signal) => {
      const envelopeTo = canonicalEmail(mail.to)
      // A mail goes to one address, and no header has a second line, for any input.
      if (!isEmail(mail.to)) throw finalFailure('not an address that mail can go to')
      const message = {
        from: mailFrom,
        to: { name: '', address: envelopeTo },
        subject: mail.subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' '),
        text: mail.text,
        html: mail.html,
        messageId: `<${mail.id}@${domain}>`,
        headers: headersOf(mail),
        envelope: { from: mailFrom.address, to: [envelopeTo] },
        ...(signal && { signal }),
      }
      await transport.sendMail(message).catch((error: SmtpError) => {
        const isFinal = isRefusal(error)
        mails.inc({ outcome: isFinal ? 'refused' : 'failed' })
        throw isFinal ? finalFailure(error.message, error) : error
      })
      mails.inc({ outcome: 'sent' })
    },
    [Symbol.asyncDispose]: async () => transport.close(),
  }
}

const transportDefaults = {
  pool: true,
  maxConnections: 4,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  dnsTimeout: 10_000,
  disableFileAccess: true,
  disableUrlAccess: true,
} as const

/**
 * STARTTLS is used where the server offers it; without it a password is not sent to another machine, unless `?requireTLS=false`.
 */
function needsTls(smtpUrl: string): boolean {
  const { username, hostname } = new URL(smtpUrl)
  return username !== '' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** RFC 3834 says that no person wrote this. RFC 2369 and RFC 8058 say how to stop it with one click. */
const headersOf = ({ unsubscribe }: Mail): Record<string, string> => ({
  'Auto-Submitted': 'auto-generated',
  ...(unsubscribe && {
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
})

interface SmtpError extends Error {
  responseCode?: number
  command?: string
}

/**
 * By RFC 5321, 4.2.1, a 5yz response to the recipient or the content will be the same next time. Others may be fixed on our side.
 */
const isRefusal = ({ responseCode = 0, command = '' }: SmtpError) =>
  responseCode >= 500 && responseCode < 600 && /^(RCPT TO|DATA)$/.test(command)
