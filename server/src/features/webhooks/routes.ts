import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { NewWebhook, Webhook, webhooks } from '@parley/sdk/contract/webhooks.ts'
import type { Config } from '../../config/settings.ts'
import type { Db } from '../../db/pool.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { OutsideError, requireAllowed } from '../../outside/allowed.ts'
import { enqueueDelivery } from './deliver.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof webhooks> = {
  async createWebhook({ db, config }, { caller, body }) {
    requireAddress(config, body)
    const hook = await store.createHook(db, caller.address, body)
    if (!hook)
      throw new ApiError('conflict', `A wallet has ${store.most} webhooks at most. Delete one first.`)
    return [{ ...shownOf(hook), secret: `whsec_${hook.secret}` }]
  },

  async listWebhooks({ db }, { caller }) {
    return (await store.findHooks(db, caller.address)).map(shownOf)
  },

  async changeWebhook({ db, config }, { caller, params: { session }, body }) {
    requireAddress(config, body)
    await requireHook(db, caller.address, session)
    await db.transaction(async (tx) => {
      await store.changeHook(tx, caller.address, session, body)
      // What has waited goes at once.
      await enqueueDelivery(tx, caller.address, session, new Date(tx.now()))
    })
    return [shownOf(await requireHook(db, caller.address, session))]
  },

  async deleteWebhook({ db }, { caller, params: { session } }) {
    await requireHook(db, caller.address, session)
    await store.deleteHook(db, caller.address, session)
  },

  async listDeliveries({ db }, { caller, params: { session } }) {
    await requireHook(db, caller.address, session)
    return (await store.findDeliveries(db, caller.address, session)).map(shownDelivery)
  },

  async replayDelivery({ db }, { caller, params: { session, id } }) {
    await requireHook(db, caller.address, session)
    await db.transaction(async (tx) => {
      if (!(await store.replay(tx, caller.address, session, Number(id))))
        throw new ApiError('not_found', 'There is no such delivery, or it is older than 30 days.')
      await enqueueDelivery(tx, caller.address, session)
    })
  },

  async testWebhook({ db }, { caller, params: { session } }) {
    await requireHook(db, caller.address, session)
    await db.transaction(async (tx) => {
      await store.addTest(tx, caller.address, session)
      await enqueueDelivery(tx, caller.address, session)
    })
  },
}

async function requireHook(db: Db, wallet: string, id: string): Promise<store.Hook> {
  const hook = await store.findHook(db, wallet, id)
  if (!hook) throw new ApiError('not_found', 'There is no such webhook: list them with GET /v1/webhooks.')
  return hook
}

/** What can be said of an address before its name is resolved, which is done at each delivery. */
function requireAddress({ privateFetchHosts }: Pick<Config, 'privateFetchHosts'>, { url }: NewWebhook): void {
  try {
    requireAllowed(url, privateFetchHosts)
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    throw badRequest([{ pointer: '/body/url', detail: `is no address that may be told: ${error.message}` }])
  }
}

const shownOf = ({
  id,
  url,
  events,
  is_on: isOn,
  public_key: key,
  created_ms: made,
  failing_ms: failing,
}: store.Hook): Webhook => ({
  id,
  url,
  events,
  is_on: isOn,
  public_key: `whpk_${key}`,
  created_at: new Date(made).toISOString(),
  ...(failing !== null && { failing_since: new Date(failing).toISOString() }),
})

const shownDelivery = ({
  id,
  event,
  peer,
  ms,
  attempt,
  status,
  tried_ms: tried,
  is_done: isDone,
}: store.Delivery) => ({
  id,
  event,
  fromaddr: peer,
  at: new Date(ms).toISOString(),
  attempts: attempt,
  ...(status !== null && { status }),
  ...(tried !== null && { tried_at: new Date(tried).toISOString() }),
  is_done: isDone,
})
