// This is the page behind the link of a confirmation mail. Mail scanners open every link, so opening it confirms nothing without
// the wallet's token: the page has a button, and its POST goes to the same address. That POST stands beside the contract, which
// has only the GET.

import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { html } from '../../lib/html.ts'
import { acceptForms, PageAnswer, sendPage } from '../../http/plain-pages.ts'
import { verificationHashes } from '../../mail/confirmation-code.ts'
import { confirmEmail } from './store.ts'

/** Requests the reader to confirm the address, or says that the link is no longer valid. */
export const confirmPage = (email: string, valid: boolean): PageAnswer<200 | 404> =>
  valid
    ? new PageAnswer({
        status: 200,
        title: 'Confirm your address',
        text: html`<p>Parley will send notifications to <strong>${email}</strong>.</p>`,
        button: 'Confirm',
      })
    : invalidLinkPage

const invalidLinkPage = new PageAnswer({
  status: 404,
  title: 'This link is no longer valid',
  text: html`<p>
    It may have been used already: then all is well. After 24 hours, enter the address in your settings again
    to get a new link.
  </p>`,
})

/** Serves the POST of the page's button. */
export async function serveConfirmation(
  app: FastifyInstance,
  { db, config, limits }: Context,
): Promise<void> {
  await app.register(async (scope) => {
    acceptForms(scope)
    scope.addHook('onRequest', async (request, reply) => limits.take('write', null, request, reply))
    scope.post<{ Params: { email: string; verification_code: string } }>(
      '/v1/verify_email/:email/:verification_code',
      async ({ params: { email, verification_code } }, reply) => {
        const hashes = verificationHashes(config, email, verification_code)
        if ((await confirmEmail(db, hashes)).length === 0) return sendPage(reply, invalidLinkPage.page)
        return sendPage(reply, {
          title: 'Thank you',
          text: html`<p><strong>${email}</strong> is confirmed. You can close this page.</p>`,
        })
      },
    )
  })
}
