// The service itself serves these few pages to a browser: links in mails lead to them. They work without script, load nothing,
// and can only send their own form.

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Html, html, trusted } from '../lib/html.ts'

interface Page<Status extends number = number> {
  status?: Status
  title: string
  text: Html
  /** This is the label of a button that sends the page's address as POST. */
  button?: string
}

const style = `
:root { color-scheme: light dark; --paper: #f6f5f2; --card: #fff; --ink: #1c1b19; --quiet: #66625b; --line: #e4e1da; --act: #1f5f4a; --on-act: #fff }
@media (prefers-color-scheme: dark) {
  :root { --paper: #151513; --card: #1f1e1b; --ink: #eeebe4; --quiet: #a39e94; --line: #35332e; --act: #8fd3b6; --on-act: #10261d }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100svh; display: grid; place-items: center; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif }
main { width: 100%; max-width: 27rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem }
.name { margin: 0 0 1.5rem; color: var(--quiet); font-size: .875rem; font-weight: 600; letter-spacing: .02em }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.25; text-wrap: balance }
p { margin: 0 0 1rem; overflow-wrap: anywhere }
main > :last-child { margin-bottom: 0 }
button { width: 100%; min-height: 3rem; margin-top: .5rem; padding: .75rem 1rem; border: 0; border-radius: .625rem; background: var(--act); color: var(--on-act); font: inherit; font-weight: 600; cursor: pointer }
button:focus-visible { outline: 3px solid var(--act); outline-offset: 3px }
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** This is a page as the response of an endpoint, whose `htmlPages` name its status. */
export class PageAnswer<Status extends number = number> {
  readonly page: Page<Status> & { status: Status }
  constructor(page: Page<Status> & { status: Status }) {
    this.page = page
  }
}

/** Responds with a page. */
export const sendPage = (reply: FastifyReply, { status = 200, title, text, button }: Page): FastifyReply =>
  reply
    .code(status)
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(
      html`<!doctype html>
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="robots" content="noindex" />
            <title>${title} · Parley</title>
            ${trusted(`<style>${style}</style>`)}
          </head>
          <body>
            <main>
              <p class="name">Parley</p>
              <h1>${title}</h1>
              ${text} ${button ? html`<form method="post"><button>${button}</button></form>` : ''}
            </main>
          </body>
        </html>`.markup,
    )

/**
 * Lets routes accept the POST of a form or of a mail program (RFC 8058). Only the URL matters; the
 * body is ignored.
 */
export function acceptForms(scope: FastifyInstance): void {
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data']
  scope.addContentTypeParser(forms, { parseAs: 'buffer', bodyLimit: 4096 }, (_request, _body, done) =>
    done(null),
  )
}
