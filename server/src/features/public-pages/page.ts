// The page of a chat that everybody may read. It works without script; the only one leads a person who is signed in in this browser
// to the client (web/src/service/session.ts names the wallet). It loads nothing, and reads no cookie.

import { communityPath } from '@parley/sdk/chat-path.ts'
import { createHash } from 'node:crypto'
import { type Html, html, trusted } from '../../lib/html.ts'
import type { Author, PublicMessage, PublicPage } from './read-page.ts'
import { style } from './style.ts'
import { textAsHtml } from './text.ts'

const toClient = `try{if(!location.search&&JSON.parse(localStorage.getItem('parley.accounts')).current)location.replace(location.pathname+'?app')}catch{}`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export const policy = [
  "default-src 'none'",
  `script-src ${hashOf(toClient)}`,
  `style-src ${hashOf(style)}`,
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What the page says besides its messages. */
export interface Place {
  /** This is the path of the page. */
  path: string
  /** The page is at this host, and these addresses begin with the origin. */
  host: string
  origin: string
  /** Messages are shown as they were typed. */
  isPlain: boolean
  /** It shows messages before an id, not the newest ones. */
  isEarlier: boolean
}

export const nameOfAuthor = (author: Author): string =>
  'name' in author ? author.name : `Member ${author.member}`

export const describe = ({ kind, title }: PublicPage, host: string): string =>
  kind === 'chat'
    ? `What members of ${title} write at ${host}, to read without signing in.`
    : `${title} at ${host}, to read without signing in.`

/** Search engines list the newest page alone, where the owner has chosen that. */
export const robotsOf = ({ searched }: PublicPage, { isEarlier }: Pick<Place, 'isEarlier'>): string =>
  searched && !isEarlier ? 'index, nofollow, noarchive' : 'noindex, nofollow, noarchive'

const dayOf = (ms: number) => new Date(ms).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

export function renderPage(page: PublicPage, place: Place): string {
  const { path, origin } = place
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${trusted(`<script>${toClient}</script>`)}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title} · Parley</title>
        <meta name="description" content="${describe(page, place.host)}" />
        <meta name="robots" content="${robotsOf(page, place)}" />
        <link rel="canonical" href="${origin}${path}" />
        <link rel="alternate" type="application/atom+xml" title="${page.title}" href="${path}?feed=atom" />
        <link rel="alternate" type="application/feed+json" title="${page.title}" href="${path}?feed=json" />
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content="Parley" />
        <meta property="og:title" content="${page.title}" />
        <meta property="og:description" content="${describe(page, place.host)}" />
        <meta property="og:url" content="${origin}${path}" />
        <meta name="twitter:card" content="summary" />
        ${trusted(`<style>${style}</style>`)}
      </head>
      <body>
        <header>
          <div>
            <div>
              <h1 dir="auto">${page.title}</h1>
              <p>Anyone can read this on ${place.host}</p>
            </div>
            <a class="act" href="${path}?app" rel="nofollow">${page.kind === 'chat' ? 'Join' : 'Comment'}</a>
          </div>
        </header>
        ${roomsOf(page)}
        <main>${bodyOf(page, place)}</main>
        <footer>
          ${page.kind === 'chat' ? 'Members who have not chosen to show their name here are numbered on each page. ' : ''}Times
          are UTC.
          <a href="${path}?feed=atom">Feed</a>
        </footer>
      </body>
    </html>`.markup
}

const roomsOf = ({ rooms }: PublicPage): Html | '' =>
  rooms.length === 0
    ? ''
    : html`<nav aria-label="Rooms that anyone can read">
        ${rooms.map(({ chat, title }) => html`<a href="${communityPath(chat)}" dir="auto">${title}</a> `)}
      </nav>`

function bodyOf({ kind, messages, hasOlder, since }: PublicPage, { path, isPlain, isEarlier }: Place): Html {
  const [oldest] = messages
  const nothing = isEarlier
    ? 'This page has no earlier messages.'
    : 'Nobody has written since this page was opened.'
  return html`
    ${
      hasOlder && oldest
        ? html`<nav><a href="${path}?before=${oldest.id}" rel="nofollow">Earlier messages</a></nav>`
        : html`<p class="note">
            This page shows ${kind === 'chat' ? `messages since ${dayOf(since)}, and` : 'comments,'} the
            newest thousand of them.
          </p>`
    }
    ${messages.length === 0 ? html`<p>${nothing}</p>` : messages.map((message, n) => articleOf(message, messages[n - 1], isPlain))}
    ${isEarlier ? html`<nav><a href="${path}">Newest messages</a></nav>` : ''}
  `
}

function articleOf(message: PublicMessage, before: PublicMessage | undefined, isPlain: boolean): Html {
  const { id, ms, author, text, cut, edited, files, answers } = message
  const at = new Date(ms).toISOString()
  const day = before && dayOf(before.ms) === dayOf(ms) ? '' : html`<h2>${dayOf(ms)}</h2>`
  return html`${day}
    <article id="m${id}">
      <p class="by">
        <b dir="auto">${nameOfAuthor(author)}</b>
        <time datetime="${at}">${at.slice(11, 16)}</time>
        ${edited ? html`<span>edited</span>` : ''}
        ${answers === undefined ? '' : html`<a href="#m${answers}">answers a message above</a>`}
      </p>
      ${text === '' ? '' : html`<div class="text" dir="auto">${textAsHtml(text, isPlain)}</div>`}
      ${cut ? html`<p class="more">The message goes on. Members read all of it.</p>` : ''}
      ${files > 0 ? html`<p class="more">${files === 1 ? 'A file' : `${files} files`} for members.</p>` : ''}
    </article>`
}
