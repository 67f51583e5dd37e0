import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { NotificationRules } from '@parley/sdk/contract/notification-rules.ts'
import type { notifications } from '@parley/sdk/contract/notifications.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { getChatChoice, setChatChoice } from './chats.ts'
import { countUnreadOf, testPush } from './push-content.ts'
import type { Outcome } from './channel.ts'
import { push } from './push-channel.ts'
import { mayPushTo, requireSubject, vapidKeys } from './push-service.ts'
import { isTimeZone } from '../../messages/quiet-hours.ts'
import { getRules, setRules } from './rules.ts'
import * as store from './subscriptions.ts'

export const handlers: Handlers<typeof notifications> = {
  async getNotificationRules({ db }, { caller }) {
    return getRules(db, caller.address)
  },

  async setNotificationRules({ db }, { caller, body }) {
    requireTimeZone(body)
    await setRules(db, caller.address, body)
    return body
  },

  async getChatNotifications({ db }, { caller, params: { nftaddr } }) {
    return (await getChatChoice(db, caller.address, chatKey(nftaddr))) ?? refuseNotJoined()
  },

  async setChatNotifications({ db, gate }, { caller, params: { nftaddr }, body }) {
    const chat = chatKey(nftaddr)
    if (body.announcements) await gate.require(chat, caller.address)
    return (await setChatChoice(db, caller.address, chat, body)) ?? refuseNotJoined()
  },

  async getPushKey({ db, config }) {
    requireSubject(config)
    return { public_key: (await vapidKeys(db)).publicKey }
  },

  async listPushSubscriptions({ db }, { caller }) {
    return (await store.findSubscriptions(db, caller.address)).map(store.shownOf)
  },

  async putPushSubscription({ db, config }, { caller, body, granting }) {
    requireSubject(config)
    if (!mayPushTo(config, body.endpoint))
      throw badRequest([
        {
          pointer: '/body/endpoint',
          detail: 'must be an address of a push service that this service knows (PUSH_HOSTS)',
        },
      ])
    if (!(await store.renewSubscription(db, caller.address, body)))
      await granting(db, body.label || new URL(body.endpoint).host, (tx) =>
        store.addSubscription(tx, caller.address, body),
      )
    return (await store.findSubscriptions(db, caller.address)).map(store.shownOf)
  },

  async deletePushSubscription({ db }, { caller, params: { session } }) {
    if (!(await store.findSubscription(db, caller.address, session)))
      throw new ApiError('not_found', 'There is no such browser: list them with GET /v1/push_subscriptions.')
    await store.deleteSubscription(db, caller.address, session)
  },

  async testPush(ctx, { caller: { address } }) {
    const { db, config } = ctx
    requireSubject(config)
    const { messages } = await countUnreadOf(db, address, config.dmDefault)
    const content = testPush(config, address, messages, db.now())
    const browsers = await push.findTargets(ctx, address)
    return Promise.all(
      browsers.map(async (browser) => {
        const sent = await push.send(ctx, browser, content)
        if (sent.outcome === 'gone') await push.deleteTarget(db, browser)
        const { id, host, label } = store.shownOf(browser)
        return { id, host, label, status: sent.status, detail: words[sent.outcome] }
      }),
    )
  },
}

const words: Record<Outcome['outcome'], string> = {
  sent: 'The push service has taken it. If nothing is shown, look at the settings of the browser and of the device.',
  gone: 'This browser no longer accepts pushes and was removed from the list. Turn notifications on in it again.',
  refused: 'The push service has refused it, for a fault of this service. Tell its operator.',
  'too large': 'The push service finds it too large. Tell the operator of this service.',
  later: 'The push service has no time now or cannot be reached. Messages are tried again for six hours.',
}

function requireTimeZone({ tz }: NotificationRules): void {
  if (!isTimeZone(tz))
    throw badRequest([
      { pointer: '/body/tz', detail: 'must be the name of a time zone, such as Europe/Berlin' },
    ])
}

function refuseNotJoined(): never {
  throw new ApiError('not_found', 'You have not joined this chat: POST /v1/create_bookmark.')
}
