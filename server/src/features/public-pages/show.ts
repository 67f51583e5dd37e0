// Answers a visitor at /c/… with the page of a chat that is open to everybody. It returns nothing for any other chat, whether there
// is one or not: the visitor then gets the page of the client.

import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { isAddress } from '../../values/formats.ts'
import { type FeedKind, feedTypes, renderFeed } from './feed.ts'
import { type Place, policy, renderPage, robotsOf } from './page.ts'
import { readPage } from './read-page.ts'
import { pathOf } from './routes.ts'

/** The client has pages of its own behind these, in place of a room. */
const ofClient = new Set(['about', 'moderation'])

/** Returns the chat of a path, as it is written there; undefined where there can be none. */
function chatOfPath(pathname: string): string | undefined {
  const [, c, ...encoded] = pathname.replace(/\/$/, '').split('/')
  if (c !== 'c' || encoded.length < 1 || encoded.length > 2) return undefined
  try {
    const parts = encoded.map(decodeURIComponent)
    const isPossible = parts.every((part) => isAddress(part) && !part.includes('/'))
    return isPossible && !(parts[1] && ofClient.has(parts[1])) ? parts.join('/') : undefined
  } catch {
    return undefined
  }
}

interface Asked {
  before?: number | undefined
  feed?: FeedKind | undefined
}

function parseQuery({ url }: FastifyRequest): Asked {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  const [before, feed] = [query.get('before'), query.get('feed')]
  if (before !== null && !/^\d{1,15}$/.test(before))
    throw new ApiError('bad_request', '`before` must be the id of a message: a whole number.')
  if (feed !== null && feed !== 'atom' && feed !== 'json')
    throw new ApiError('bad_request', '`feed` must be atom or json.')
  return { before: before === null ? undefined : Number(before), feed: feed ?? undefined }
}

/** These pages were made last: a crowd reads the same one. The key has all that a page shows. */
const made = new LRUCache<string, string>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: (text) => text.length + 1,
})

/** Returns true when a client that has an answer with this tag has the newest one. */
const isKnown = ({ headers }: FastifyRequest, etag: string) =>
  headers['if-none-match']?.split(/ *, */).includes(etag) === true

export const showPublicPage =
  (ctx: Context) =>
  async (
    request: FastifyRequest,
    reply: FastifyReply,
    pathname: string,
  ): Promise<FastifyReply | undefined> => {
    const { config, limits } = ctx
    const { before, feed } = parseQuery(request)
    const written = chatOfPath(pathname)
    if (written === undefined) return undefined
    const { long } = limits.shareOf(request, reply)
    const page = await readPage({ ...ctx, db: long }, chatKey(written), before)
    if (!page) return undefined
    const { origin, host } = new URL(config.publicUrl)
    const place: Place = {
      path: pathOf(written.toLowerCase()),
      origin,
      host,
      isPlain: config.messageFormat === 'plain',
      isEarlier: before !== undefined,
    }
    // The text of a new release may say something else.
    const shown = createHash('sha256')
      .update(JSON.stringify([policy, page, place, feed]))
      .digest('base64url')
    const etag = `"${shown}"`
    reply.headers({
      etag,
      'cache-control': 'no-cache',
      'x-robots-tag': robotsOf(page, place),
      'referrer-policy': 'no-referrer',
      'content-security-policy': policy,
    })
    if (isKnown(request, etag)) return reply.code(304).send()
    const text = made.get(shown) ?? (feed ? renderFeed(feed, page, place) : renderPage(page, place))
    made.set(shown, text)
    return reply.type(feed ? feedTypes[feed] : 'text/html; charset=utf-8').send(text)
  }
