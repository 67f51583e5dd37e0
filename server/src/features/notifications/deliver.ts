import type { Context } from '../../context.ts'
import { hour } from '../../lib/times.ts'
import type { InstantChannel, Target } from './channel.ts'

/** After this many milliseconds a notification is no longer news, where nothing else is said. */
const usual = 6 * hour

interface Delivery<To, Content> {
  target: To
  /** The time when it should first be sent, in epoch milliseconds. */
  since: number
  newsFor?: number | undefined
  /** Returns its content, read when the target accepts it; undefined when nothing to notify about is left. */
  content: () => Promise<Content | undefined>
  retry: (at: number) => Promise<unknown>
  /** Sends it without the text of a message; undefined where it has none. */
  shorten?: (() => Promise<unknown>) | undefined
}

/** Sends a notification by a channel, or arranges that it is sent later, and does what follows from the response. */
export async function deliver<To extends Target, Content>(
  ctx: Context,
  channel: InstantChannel<To, Content>,
  { target, since, newsFor = usual, content, retry, shorten }: Delivery<To, Content>,
): Promise<void> {
  const { db, log } = ctx
  const { server } = channel
  const isNews = (at: number) => at - since <= newsFor
  const retryWhileNews = async (at: number) => isNews(at) && retry(at)
  if (!isNews(db.now())) return
  const turn = (await channel.cost?.nextTurn(db, target)) ?? 0
  if (turn > 0) {
    await retryWhileNews(turn)
    return
  }
  const said = await content()
  if (said === undefined) return
  const { outcome, status, retryAfter } = await channel.send(ctx, target, said)
  if (outcome === 'gone') await channel.deleteTarget(db, target)
  else if (outcome === 'too large') await shorten?.()
  else if (outcome === 'refused') log.warn({ status }, `${server} has refused a message`)
  else if (outcome === 'later') {
    if (retryAfter === undefined) throw new Error(`${server} answers ${status === 0 ? 'nothing' : status}`)
    await retryWhileNews(db.now() + Math.ceil(retryAfter * 1000))
  }
}
