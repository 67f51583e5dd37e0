// This module reads the recent posts of an X account (X API v2): the account by its handle, then its posts with their authors and
// media. https://docs.x.com/x-api/users/lookup and https://docs.x.com/x-api/posts/timelines
//
// The answers are from outside: they are limited in time and size, checked against the documentation, and cleaned so that
// PostgreSQL can store and a page can show them.

import {
  mostMedia,
  mostPictureUrl,
  mostTweets,
  type Tweet,
  tweetBytes,
} from '@parley/sdk/contract/communities.ts'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { minute } from '../../lib/times.ts'
import { isXUsername } from './x-username.ts'

const timeout = 5_000
const maxBytes = 1024 * 1024

export interface XApi {
  url: string
  token: string
}

export interface Failure {
  /** The reason of the failure, for the log; it never contains the token. */
  failure: string
  /** The time when the API allows the next request, if it refused this one because there were too many. */
  pausedUntil?: Date
}

/**
 * Returns the newest posts of an account, newest first; none when there is no such account, or it does not show them.
 */
export async function fetchTweets(api: XApi, username: string): Promise<Tweet[] | Failure> {
  const account = await get(
    api,
    `/2/users/by/username/${username}`,
    { 'user.fields': 'profile_image_url' },
    Account,
  )
  if ('failure' in account) return account
  if (account.data === undefined) return account.errors ? [] : undocumented
  const posts = await get(
    api,
    `/2/users/${account.data.id}/tweets`,
    {
      max_results: String(mostTweets),
      expansions: 'author_id,attachments.media_keys',
      'tweet.fields': 'attachments,author_id,created_at',
      'user.fields': 'profile_image_url',
    },
    Posts,
  )
  if ('failure' in posts) return posts
  if (posts.data === undefined) return posts.errors || posts.meta?.result_count === 0 ? [] : undocumented
  const users = [account.data, ...(posts.includes?.users ?? []).filter((user) => Value.Check(User, user))]
  const media = new Set(
    posts.includes?.media?.filter((item) => Value.Check(Media, item)).map(({ media_key }) => media_key),
  )
  return posts.data
    .filter((post) => Value.Check(Post, post))
    .slice(0, mostTweets)
    .map((post) => toTweet(post, users, media))
}

const Key = Type.String({ pattern: '^[0-9_]{1,32}$' })
const User = Type.Object({
  id: Key,
  name: Type.String({ maxLength: 200 }),
  username: Type.String({ maxLength: 50 }),
  profile_image_url: Type.Optional(Type.String({ maxLength: 2000 })),
})
const Media = Type.Object({ media_key: Key })
const Post = Type.Object({
  id: Key,
  text: Type.String({ maxLength: 30_000 }),
  author_id: Key,
  created_at: Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$` }),
  attachments: Type.Optional(Type.Object({ media_keys: Type.Optional(Type.Array(Key, { maxItems: 20 })) })),
})
const Errors = Type.Optional(Type.Array(Type.Unknown(), { minItems: 1 }))
const Account = Type.Object({ data: Type.Optional(User), errors: Errors })
// A post or user that is not as documented is skipped; the rest is shown.
const Posts = Type.Object({
  data: Type.Optional(Type.Array(Type.Unsafe<Static<typeof Post>>(Type.Unknown()))),
  includes: Type.Optional(
    Type.Object({
      users: Type.Optional(Type.Array(Type.Unsafe<Static<typeof User>>(Type.Unknown()))),
      media: Type.Optional(Type.Array(Type.Unsafe<Static<typeof Media>>(Type.Unknown()))),
    }),
  ),
  meta: Type.Optional(Type.Object({ result_count: Type.Integer() })),
  errors: Errors,
})

function toTweet(post: Static<typeof Post>, users: Static<typeof User>[], media: Set<string>): Tweet {
  const user = users.find(({ id }) => id === post.author_id)
  const attached = (post.attachments?.media_keys ?? []).slice(0, mostMedia)
  return {
    id: post.id,
    text: cut(storable(post.text)),
    created_at: post.created_at,
    author_id: post.author_id,
    attachments: { media_keys: attached },
    media: { media_keys: attached.filter((key) => media.has(key)) },
    user: {
      id: post.author_id,
      name: storable(user?.name ?? '')
        .slice(0, 50)
        .toWellFormed(),
      profile_image_url: secureUrl(user?.profile_image_url),
      username: isXUsername(user?.username ?? '') ? user!.username : '',
    },
  }
}

/** PostgreSQL accepts neither NUL nor lone surrogates in JSON. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '')

/** Returns the beginning of a text, up to the last whole character. */
const cut = (text: string): string => {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(tweetBytes))
  return text.slice(0, read)
}

const secureUrl = (url = '') => {
  const { protocol, href } = URL.parse(url) ?? {}
  return protocol === 'https:' && href !== undefined && href.length <= mostPictureUrl ? href : ''
}

const undocumented: Failure = { failure: 'the X API answered something that is not documented' }

async function get<S extends TSchema>(
  { url, token }: XApi,
  path: string,
  query: Record<string, string>,
  schema: S,
): Promise<Static<S> | Failure> {
  try {
    const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      // The token is only for this host.
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    if (!response.ok) {
      await response.body?.cancel()
      const failure = `the X API answered ${response.status}`
      return response.status === 429 ? { failure, pausedUntil: resetOf(response) } : { failure }
    }
    const answer: unknown = JSON.parse(await readText(response))
    return Value.Check(schema, answer) ? answer : undocumented
  } catch (error) {
    if (error instanceof SyntaxError) return undocumented
    return { failure: `the X API did not answer: ${reasonOf(error as Error)}` }
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/**
 * Returns when a limit ends, by the header in Unix seconds; in a quarter of an hour, the length of a window, when the header is
 * unusable.
 */
function resetOf({ headers }: Response): Date {
  const now = Date.now()
  const reset = Number(headers.get('x-rate-limit-reset') ?? NaN) * 1000
  const usable = reset > now - 15 * minute && reset < now + 1440 * minute
  return new Date(usable ? Math.max(reset, now + minute) : now + 15 * minute)
}

const reasonOf = ({ name, message, cause }: Error) =>
  name === 'TimeoutError' ? 'time-out' : cause instanceof Error ? cause.message : message
