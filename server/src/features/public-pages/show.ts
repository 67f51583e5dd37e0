// Answers a visitor at /c/… with the page of a chat that is open to everybody, and at /nft/…/… with the comments on an NFT. It returns
// nothing for any other chat, whether there is one or not: the visitor then gets the page of the client.

import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { communityPath, isPageOfCommunity } from '@parley/sdk/chat-path.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { pack, type SendFile } from '../../http/precompressed.ts'
import { shareReads } from '../../lib/share-reads.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { canonicalAddress, isAddress, isUint256 } from '../../values/formats.ts'
import { type FeedKind, feedTypes, renderFeed } from './feed.ts'
import { type Place, policy, renderPage, robotsOf } from './page.ts'
import { readComments } from './read-comments.ts'
import { readPage } from './read-page.ts'

/** What a page is about: a chat as the path has it, or the comments on an NFT. */
type Subject = { chat: string } | { nftaddr: string; nftid: string }

/** Returns what a path is about; undefined where there can be no page. */
function subjectOf(pathname: string): Subject | undefined {
  const [, kind, ...encoded] = pathname.replace(/\/$/, '').split('/')
  if (encoded.length < 1 || encoded.length > 2) return undefined
  try {
    const names = encoded.map(decodeURIComponent)
    // The path of a room that is named like a page has its slash encoded.
    const parts = kind === 'c' && names.length === 1 ? names[0]!.split('/') : names
    const isEncoded = parts.length > names.length
    if (parts.length > 2 || !parts.every((part) => isAddress(part) && !part.includes('/'))) return undefined
    const [first, second] = parts as [string, string?]
    if (kind === 'c')
      return second && isPageOfCommunity(second) && !isEncoded ? undefined : { chat: parts.join('/') }
    return kind === 'nft' && second && isUint256(second)
      ? { nftaddr: canonicalAddress(first), nftid: String(BigInt(second)) }
      : undefined
  } catch {
    return undefined
  }
}

const pathOfSubject = (subject: Subject): string =>
  'chat' in subject
    ? communityPath(subject.chat.toLowerCase())
    : `/nft/${encodeURIComponent(subject.nftaddr)}/${subject.nftid}`

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

/** These answers were made last, by all that they show. A crowd reads the same page, which is made and compressed once. */
const made = new LRUCache<string, SendFile>({ max: 200 })

interface Answer {
  robots: string
  send: SendFile
}

export function showPublicPage(ctx: Context) {
  const { config, limits } = ctx
  const { origin, host } = new URL(config.publicUrl)
  const share = shareReads<Answer | undefined>()

  async function answerFor(db: Db, subject: Subject, { before, feed }: Asked): Promise<Answer | undefined> {
    const page =
      'chat' in subject
        ? await readPage({ ...ctx, db }, chatKey(subject.chat), before)
        : config.publicPages && (await readComments(db, subject, before))
    if (!page) return undefined
    const place: Place = {
      path: pathOfSubject(subject),
      origin,
      host,
      isPlain: config.messageFormat === 'plain',
      isEarlier: before !== undefined,
    }
    const key = createHash('sha256')
      .update(JSON.stringify([page, place, feed]))
      .digest('base64url')
    const send = made.get(key) ?? pack(feed ? renderFeed(feed, page, place) : renderPage(page, place))
    made.set(key, send)
    return { robots: robotsOf(page, place), send }
  }

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    pathname: string,
  ): Promise<FastifyReply | undefined> => {
    const asked = parseQuery(request)
    const subject = subjectOf(pathname)
    if (!subject) return undefined
    const { long } = limits.shareOf(request, reply)
    const answer = await share(JSON.stringify([subject, asked]), () => answerFor(long, subject, asked))
    if (!answer) return undefined
    reply.headers({
      'cache-control': 'no-cache',
      'x-robots-tag': answer.robots,
      'referrer-policy': 'no-referrer',
      'content-security-policy': policy,
    })
    reply.type(asked.feed ? feedTypes[asked.feed] : 'text/html; charset=utf-8')
    return answer.send(request, reply)
  }
}
