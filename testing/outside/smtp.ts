import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Received {
  /** The recipients of the envelope. */
  recipients: string[]
  secure: boolean
  raw: string
  mail: Email
}

interface Options {
  port?: number
  /** Offers STARTTLS, with a self-signed certificate. */
  tls?: boolean
}

/** Starts a real mail server on a port of this machine. `await using` stops it at the end of the test. */
export async function startSmtp({ port = 0, tls = false }: Options = {}) {
  const inbox: Received[] = []
  const state = { refusal: undefined as { responseCode: number; message: string } | undefined }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', ...(tls ? [] : ['STARTTLS'])],
    logger: false,
    // Clients keep connections open for the next mail.
    closeTimeout: 50,
    onRcptTo(_address, _session, done) {
      done(state.refusal && Object.assign(new Error(state.refusal.message), state.refusal))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks)
        inbox.push({
          recipients: session.envelope.rcptTo.map(({ address }) => address),
          secure: session.secure,
          raw: raw.toString('latin1'),
          mail: await PostalMime.parse(raw),
        })
        done()
      })
    },
  })
  // A client that refuses the certificate closes the connection, which is no failure here.
  server.on('error', () => {})
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const { port: actual } = server.server.address() as AddressInfo

  return {
    url: `smtp://127.0.0.1:${actual}`,
    port: actual,
    /** The mails that have arrived, oldest first. */
    inbox,
    /** Refuses every recipient from now on: temporarily with 4xx, permanently with 5xx. */
    refuse: (responseCode: number, message = 'no') => (state.refusal = { responseCode, message }),
    accept: () => (state.refusal = undefined),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Returns a header of a mail by its lower-case name. */
export const header = ({ mail }: Received, name: string): string | undefined =>
  mail.headers.find(({ key }) => key === name)?.value
