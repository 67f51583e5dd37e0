// These are the replies of the Telegram bot to people who write to it.

import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Payloads, Tasks } from '../../jobs/tasks.ts'
import { deliver } from './deliver.ts'
import { linkedChat, telegram } from './telegram-channel.ts'

type Reply = Payloads['answer-telegram']

export const enqueueAnswer = (tx: Db, reply: Reply, at?: number) =>
  enqueue(tx, 'answer-telegram', reply, {
    key: `answer-telegram ${reply.chat_id} ${reply.say}`,
    queue: telegram.cost!.queueOf(linkedChat(reply.chat_id)),
    ...(at !== undefined && { runAt: new Date(at) }),
  })

const texts = (publicUrl: string): Record<Reply['say'], string> => ({
  linked: `You get notifications of messages at ${publicUrl} here: who wrote, never what. /stop ends it.`,
  stopped: `Notifications here have ended. Link this chat again in the settings: ${publicUrl}/settings`,
  'no-code': `This link is used, or older than ten minutes. Make a new one in the settings: ${publicUrl}/settings`,
  help: `I notify you of messages at ${publicUrl}. To begin, link this chat in the settings: ${publicUrl}/settings\n/stop ends it.`,
})

export const telegramTasks: Pick<Tasks<Context>, 'answer-telegram'> = {
  async 'answer-telegram'(ctx, reply, job) {
    const { chat_id: chatId, say, since = job.createdAt.getTime() } = reply
    if (ctx.config.telegramBotToken === undefined) return
    await deliver(ctx, telegram, {
      target: linkedChat(chatId),
      since,
      content: async () => ({ text: texts(ctx.config.publicUrl)[say], quiet: false }),
      retry: (at) => enqueueAnswer(ctx.db, { ...reply, since }, at),
    })
  },
}
