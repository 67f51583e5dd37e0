import type { Tweet } from '@parley/sdk/contract/communities.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { isXUsername } from './x-username.ts'

/** Returns the X account among a community's socials, without the `@`, if there is one. */
export function findXUsername(social: { type: string; username: string }[]): string | undefined {
  const names = social
    .filter(({ type }) => /^(twitter|x)$/i.test(type.trim()))
    // Spec gap: how an account is named. A handle, with or without @, or the address of its page.
    .map(
      ({ username }) =>
        /^(?:@|https?:\/\/(?:www\.)?(?:x|twitter)\.com\/@?)?(\w+)\/?$/i.exec(username.trim())?.[1],
    )
  return names.find((name) => name !== undefined && isXUsername(name))
}

/** Returns a community's posts as they were last fetched, newest first; none when they never were. */
export async function readTweets(db: Db, chat: string): Promise<Tweet[]> {
  const [row] = await db.query<{ tweets: Tweet[] }>(`select tweets from community_tweets where chat = $1`, [
    chat,
  ])
  return row?.tweets ?? []
}

/**
 * Fetches a community's posts for the next reader when they are older than five minutes. Never rejects, so it need not be
 * awaited; a failure is logged and the stored posts stay. Only one instance fetches at a time, and none while X has requested a
 * pause. Do not use it inside a transaction.
 */
export async function refreshTweets(
  { db, config, log }: Pick<Context, 'db' | 'config' | 'log'>,
  chat: string,
  username: string,
): Promise<void> {
  const { xApiUrl: url, xBearerToken: token } = config
  if (token === undefined || !isXUsername(username)) return
  try {
    const [claimed] = await db.query(claim, [chat, username, db.now()])
    if (!claimed) return
    const { fetchTweets } = await import('./x-api.ts')
    const fetched = await fetchTweets({ url, token }, username)
    if (Array.isArray(fetched))
      await db.query(`update community_tweets set tweets = $3::jsonb where chat = $1 and username = $2`, [
        chat,
        username,
        JSON.stringify(fetched),
      ])
    else {
      log.warn({ chat, reason: fetched.failure }, 'the posts of a community could not be refreshed')
      if (fetched.pausedUntil) await db.query(pause, [fetched.pausedUntil.getTime()])
    }
  } catch (error) {
    log.warn({ chat, reason: (error as Error).message }, 'the posts of a community could not be refreshed')
  }
}

// Returns a row to the one instance that may fetch: the stored posts are five minutes old, or half
// a minute when they are of another account (so that switching accounts does not avoid the limit).
// The check comes first, so a fresh row is not even locked.
const stale = (username: string) =>
  `t.claimed_ms <= $3 - case when t.username = ${username} then 300000 else 30000 end`

const claim = `
  insert into community_tweets as t (chat, username, claimed_ms)
  select $1, $2, $3::bigint
  where not exists (select 1 from x_api_pause where paused_until_ms > $3)
    and not exists (select 1 from community_tweets t where t.chat = $1 and not (${stale('$2')}))
  on conflict (chat) do update set
    username = excluded.username,
    claimed_ms = excluded.claimed_ms,
    tweets = case when t.username = excluded.username then t.tweets else '[]' end
  where ${stale('excluded.username')}
  returning true as claimed`

const pause = `
  insert into x_api_pause as p (paused_until_ms) values ($1)
  on conflict (one) do update set paused_until_ms = greatest(p.paused_until_ms, excluded.paused_until_ms)`
