// The text with which a receiver answers a command is posted into the chat as the bot. The text is stored with the delivery in
// the transaction that records the success, and with a job that posts it by an idempotency key of the delivery: so it is posted
// once, however often the delivery is sent, and wherever the service is killed.

import { createHash } from 'node:crypto'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { maxMessageBytes } from '@parley/sdk/contract/fields.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Tasks } from '../../jobs/tasks.ts'
import { postByItself } from '../../messages/post-message.ts'
import type { Answer } from '../../outside/call.ts'
import { isText } from '../../values/formats.ts'
import { findAnswer, noteAnswer } from './deliveries.ts'

/** An answer that takes longer, in milliseconds, is not posted. */
const patience = 3_000

/** Returns the text of an answer; undefined where it has none that could be a message. */
export function answerIn({ status, headers, body, isWhole }: Answer, took: number): string | undefined {
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')
  if (status < 200 || status > 299 || took > patience || !isJson || !isWhole) return undefined
  try {
    const parsed = JSON.parse(body.toString()) as { text?: unknown } | null
    const text = parsed?.text
    if (typeof text !== 'string' || text === '' || !isText(text)) return undefined
    return Buffer.byteLength(text) <= maxMessageBytes ? text : undefined
  } catch {
    return undefined
  }
}

export const enqueueAnswer = (tx: Db, walletaddr: string, hook: string, id: number) =>
  enqueue(tx, 'post-answer', { walletaddr, hook, id }, { key: `post-answer ${hook} ${id}` })

export const answerTasks: Pick<Tasks<Context>, 'post-answer'> = {
  async 'post-answer'(ctx, { walletaddr, hook, id }) {
    const found = await findAnswer(ctx.db, walletaddr, hook, id)
    if (!found) return
    const name = `msg_${hook}_${id}`
    const key = {
      caller: walletaddr,
      key: `answer ${name}`,
      request: createHash('sha256').update(name).digest(),
    }
    try {
      await postByItself(ctx, { fromaddr: walletaddr, nftaddr: found.chat, message: found.answer }, key)
    } catch (error) {
      if (!(error instanceof ApiError) || !isFinal(error)) throw error
      await noteAnswer(ctx.db, walletaddr, hook, id, 'refused')
      return
    }
    ctx.events.poke()
    await noteAnswer(ctx.db, walletaddr, hook, id, 'posted')
  },
}

/** Returns true when a retry would change nothing. */
const isFinal = ({ status }: ApiError) => status < 500 && status !== 429
