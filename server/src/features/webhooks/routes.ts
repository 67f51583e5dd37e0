import { ApiError } from '@parley/sdk/contract/errors.ts'
import { mostWebhooks, type NewWebhook, type Webhook, type webhooks } from '@parley/sdk/contract/webhooks.ts'
import type { Config } from '../../config/settings.ts'
import type { Db } from '../../db/pool.ts'
import { inPortions } from '../../db/portions.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { OutsideError, requireAllowed } from '../../outside/allowed.ts'
import { enqueueDelivery } from './deliver.ts'
import * as deliveries from './deliveries.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof webhooks> = {
  async createWebhook({ db, config, quotas }, { caller, body, granting, full, http: { request } }) {
    requireAddress(config, body)
    requireNarrowing(body)
    const hook = await quotas.chargeCopies(
      request.who,
      deliveries.bytesStored,
      () => granting(db, hostOf(body), (tx) => store.createHook(tx, caller.address, body)),
      (made) => made !== undefined,
    )
    if (!hook) throw full(mostWebhooks, 'Delete one first (DELETE /v1/webhooks/{session}).')
    return [withSecret(hook)]
  },

  async listWebhooks({ db }, { caller }) {
    return (await store.findHooks(db, caller.address)).map(shownOf)
  },

  async changeWebhook({ db, config }, { caller, params: { session }, body, granting }) {
    requireAddress(config, body)
    requireNarrowing(body)
    const { address } = caller
    await requireHook(db, address, session)
    const isNarrowed = await db.transaction(async (tx) => {
      if (!(await store.narrowHook(tx, address, session, body))) return false
      await sendWaiting(tx, address, session)
      return true
    })
    if (!isNarrowed)
      await granting(db, hostOf(body), async (tx) => {
        await store.changeHook(tx, address, session, body)
        await sendWaiting(tx, address, session)
        return true
      })
    return [shownOf(await requireHook(db, address, session))]
  },

  async rotateWebhook({ db }, { caller, params: { session } }) {
    await requireHook(db, caller.address, session)
    await store.rotate(db, caller.address, session)
    return [withSecret(await requireHook(db, caller.address, session))]
  },

  async deleteWebhook({ db }, { caller, params: { session } }) {
    await requireHook(db, caller.address, session)
    await store.deleteHook(db, caller.address, session)
  },

  async listDeliveries({ db }, { caller, params: { session }, query }) {
    await requireHook(db, caller.address, session)
    return inPortions(db, query, {
      most: 100,
      read: async (on, page) =>
        (await deliveries.findDeliveries(on, caller.address, session, page)).map(shownDelivery),
      after: ({ id }) => ({ before: id }),
    })
  },

  async replayDelivery({ db }, { caller, params: { session, id } }) {
    await requireHook(db, caller.address, session)
    await db.transaction(async (tx) => {
      if (!(await deliveries.replay(tx, caller.address, session, Number(id))))
        throw new ApiError('not_found', 'There is no such delivery, or it is older than 30 days.')
      await enqueueDelivery(tx, caller.address, session, { runAt: new Date(tx.now()) })
    })
  },

  async testWebhook({ db }, { caller, params: { session } }) {
    await requireHook(db, caller.address, session)
    await db.transaction(async (tx) => {
      await deliveries.addTest(tx, caller.address, session)
      await enqueueDelivery(tx, caller.address, session, { runAt: new Date(tx.now()) })
    })
  },
}

/** Sends at once what has waited. */
const sendWaiting = (tx: Db, wallet: string, hook: string) =>
  enqueueDelivery(tx, wallet, hook, { runAt: new Date(tx.now()) })

/** Returns what the owner of a webhook reads about its address: the rest may hold a secret. */
const hostOf = ({ url }: NewWebhook) => new URL(url).host

async function requireHook(db: Db, wallet: string, id: string): Promise<store.Hook> {
  const hook = await store.findHook(db, wallet, id)
  if (!hook) throw new ApiError('not_found', 'There is no such webhook: list them with GET /v1/webhooks.')
  return hook
}

/** Checks an address before its name is resolved, which is done at each delivery. */
function requireAddress(
  { privateWebhookHosts }: Pick<Config, 'privateWebhookHosts'>,
  { url }: NewWebhook,
): void {
  try {
    requireAllowed(url, privateWebhookHosts)
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    throw badRequest([{ pointer: '/body/url', detail: `must be a public https URL: ${error.message}` }])
  }
}

/** The events of direct messages, and those of chats. */
const ofPeers: readonly NewWebhook['events'][number][] = [
  'message.direct',
  'request.new',
  'message.edited',
  'message.deleted',
]
const ofChats: readonly NewWebhook['events'][number][] = [
  'message.group',
  'message.edited',
  'message.deleted',
  'member.joined',
  'command',
]

/** A webhook of one chat, or of one peer, is about nothing else. */
function requireNarrowing({ chat, peer, events }: NewWebhook): void {
  if (chat !== undefined && peer !== undefined)
    throw badRequest([
      { pointer: '/body/peer', detail: 'cannot be combined with chat; create one webhook for each' },
    ])
  const allowed = chat === undefined ? ofPeers : ofChats
  const other = events.find((event) => !allowed.includes(event))
  if ((chat !== undefined || peer !== undefined) && other !== undefined)
    throw badRequest([
      {
        pointer: '/body/events',
        detail: `must be of ${allowed.join(', ')} for a webhook of one ${chat === undefined ? 'peer' : 'chat'}`,
      },
    ])
}

const withSecret = (hook: store.Hook): Webhook => ({ ...shownOf(hook), secret: `whsec_${hook.secret}` })

const shownOf = ({
  id,
  url,
  events,
  chat,
  peer,
  is_on: isOn,
  public_key: key,
  created_ms: made,
  failing_ms: failing,
  old_until_ms: rotating,
}: store.Hook): Webhook => ({
  id,
  url,
  events,
  ...(chat !== null && { chat }),
  ...(peer !== null && { peer }),
  is_on: isOn,
  public_key: `whpk_${key}`,
  created_at: new Date(made).toISOString(),
  ...(rotating !== null && rotating > Date.now() && { rotates_until: new Date(rotating).toISOString() }),
  ...(failing !== null && { failing_since: new Date(failing).toISOString() }),
})

const shownDelivery = ({
  id,
  event,
  peer,
  chat,
  ms,
  attempt,
  status,
  tried_ms: tried,
  is_done: isDone,
  answered,
}: deliveries.Delivery) => ({
  id,
  event,
  fromaddr: peer,
  ...(chat !== null && { chat }),
  at: new Date(ms).toISOString(),
  attempts: attempt,
  ...(status !== null && { status }),
  ...(tried !== null && { tried_at: new Date(tried).toISOString() }),
  is_done: isDone,
  ...(answered !== null && { answered }),
})
