import type { InstantChannel } from './channel.ts'
import type { Push } from './push-content.ts'
import { sendPush } from './push-service.ts'
import { deleteSubscription, findSubscriptions, noteAnswer, type Subscription } from './subscriptions.ts'

/** The channel that sends Web Push to all browsers of a wallet. */
export const push: InstantChannel<Subscription, Push> = {
  pace: 'instant',
  name: 'push',
  server: 'a push service',
  reaches: { walletsOf: 'push_subscriptions' },
  preview: 'text',

  findTargets: ({ db }, wallet) => findSubscriptions(db, wallet),

  build: (_config, content) => content,

  async send(ctx, browser, content) {
    const sent = await sendPush(ctx, browser, content)
    if (sent.outcome !== 'gone') await noteAnswer(ctx.db, browser.walletaddr, browser.id, sent.status)
    return sent
  },

  deleteTarget: (db, { walletaddr, id }) => deleteSubscription(db, walletaddr, id),
}
