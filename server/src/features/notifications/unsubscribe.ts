// This module stops mails from within a mail (RFC 8058), and announcements from within any notification. The link in a mail's List-Unsubscribe header names a wallet and a kind
// of mail, signed together with the address it went to: it needs no sign-in, and its holder can stop these mails and nothing
// else. A POST stops them at once. Opening the link only shows a page with a button, because mail scanners open every link.

import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { canonicalEmail } from '../../values/email.ts'
import { type Html, html } from '../../lib/html.ts'
import { mac } from '../../lib/mac.ts'
import { acceptForms, sendPage } from '../../http/plain-pages.ts'
import { secretsOf } from '../../config/jwt-secret.ts'
import { isNftKey } from '../../messages/chat-key.ts'
import { shortAddress } from '../../values/short-address.ts'
import { stopAnnouncements } from './chats.ts'
import { signStop, stopKind } from './stop-links.ts'
import * as store from './store.ts'

const kinds = {
  notifydm: 'mails about new messages',
  notify24: 'daily summaries',
}
type Kind = keyof typeof kinds
type Config = Context['config']

/** Returns the link that stops mails of a kind to a wallet's address. */
export function unsubscribeUrl({ publicUrl, jwtSecret }: Config, kind: Kind, wallet: string, email: string) {
  const subject = Buffer.from(`${kind} ${wallet}`).toString('base64url')
  return `${publicUrl}/v1/unsubscribe/${subject}.${sign(jwtSecret, kind, wallet, email).toString('base64url')}`
}

const sign = (secret: string, kind: Kind, wallet: string, email: string) =>
  mac(secret, 'unsubscribe', `${kind}\0${wallet}\0${canonicalEmail(email)}`).subarray(0, 16)

/** What a link stops. */
interface Subject {
  /** What comes no longer, as the end of a sentence. */
  what: string
  /** Where it came: a mail address. */
  to: Html
  stop: () => Promise<unknown>
}

/** Reads a link; undefined when it is forged, or its address is no longer the wallet's. */
async function readToken({ db, config }: Context, token: string): Promise<Subject | undefined> {
  const [subject = '', signature = ''] = token.split('.')
  const [kind = '', wallet = '', ...rest] = Buffer.from(subject, 'base64url').toString().split(' ')
  if (wallet.includes('\0')) return undefined
  const given = Buffer.from(signature, 'base64url')
  const isSigned = (signed: (secret: string) => Buffer) =>
    secretsOf(config)
      .map(signed)
      .some((expected) => given.length === expected.length && timingSafeEqual(given, expected))
  if (kind === stopKind) {
    const chat = rest.join(' ')
    if (!isSigned((secret) => signStop(secret, wallet, chat))) return undefined
    const stop = () => stopAnnouncements(db, wallet, chat)
    const name = isNftKey(chat) ? shortAddress(chat) : chat
    return { what: `announcements of ${name}`, to: html`your wallet ${shortAddress(wallet)}`, stop }
  }
  if (!isKind(kind)) return undefined
  const email = await store.findEmail(db, wallet)
  if (email === undefined || !isSigned((secret) => sign(secret, kind, wallet, email))) return undefined
  const stop = () => store.stopMails(db, kind, wallet, email)
  return { what: kinds[kind], to: html`<strong>${email}</strong>`, stop }
}

const isKind = (kind: string): kind is Kind => Object.hasOwn(kinds, kind)

interface TokenRoute {
  Params: { token: string }
}

/**
 * Serves the links, beside the contract: they are for mail programs and people, not for clients.
 */
export async function serveUnsubscribe(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    acceptForms(scope)
    scope.addHook('onRequest', async (request, reply) => ctx.limits.take('write', null, request, reply))
    const url = '/v1/unsubscribe/:token'

    scope.get<TokenRoute>(url, async ({ params }, reply) => {
      const subject = await readToken(ctx, params.token)
      if (!subject) return sendInvalidLinkPage(reply)
      return sendPage(reply, {
        title: `Stop ${subject.what}?`,
        text: html`<p>Parley sends ${subject.what} to ${subject.to}.</p>`,
        button: 'Stop',
      })
    })

    scope.post<TokenRoute>(url, async ({ params }, reply) => {
      const subject = await readToken(ctx, params.token)
      if (!subject) return sendInvalidLinkPage(reply)
      await subject.stop()
      return sendPage(reply, {
        title: 'Done',
        text: html`<p>There are no further ${subject.what} to ${subject.to}.</p>`,
      })
    })
  })
}

const sendInvalidLinkPage = (reply: FastifyReply) =>
  sendPage(reply, {
    status: 404,
    title: 'This link is no longer valid',
    text: html`<p>Mails can be switched off in your settings, after you sign in with your wallet.</p>`,
  })
