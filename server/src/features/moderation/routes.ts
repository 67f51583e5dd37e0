import { ApiError } from '@parley/sdk/contract/errors.ts'
import { type moderation, mostHistory, type Sanction } from '@parley/sdk/contract/moderation.ts'
import type { Action } from '@parley/sdk/contract/moderation-actions.ts'
import type { reportQueue } from '@parley/sdk/contract/report-queue.ts'
import type { SanctionKind, Standing } from '../../auth/standing.ts'
import type { Db } from '../../db/pool.ts'
import { inPortions } from '../../db/portions.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { day } from '../../lib/times.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { findEntries, readEnd } from '../../messages/operator-log.ts'
import { requireMayAct, requireNoFavor, targets } from './may-act.ts'
import * as reports from './reports.ts'
import * as store from './store.ts'

const month = 30 * day
const withEnd: readonly Action[] = ['mute', 'ban', 'shadow_mute', 'close_chat', 'stop_announcements']
const ofCommunities = new Set<Action>(['takedown_community', 'recommend_community', 'unrecommend_community'])
const ofChat = ['close', 'takedown', 'announce'] as const

export const handlers: Handlers<typeof moderation> = {
  async act({ db, events, grants, standing }, { caller, body }) {
    const { action, until, reason, report_ids: ids = [], item_id: item = null } = body
    const isAboutChat = await isOfChat(db, body)
    const subject = isAboutChat ? chatKey(body.subject) : body.subject
    const end = until === undefined ? null : Date.parse(until)
    const hasEnd = withEnd.includes(action)
    if (end !== null && (!hasEnd || !(end > db.now())))
      throw badRequest([
        {
          pointer: '/body/until',
          detail: hasEnd ? 'must lie in the future' : `is for ${withEnd.join(', ')}: leave it out`,
        },
      ])
    const wanted = { action, operator: caller.address, subject }
    requireMayAct(standing, wanted)
    if (isAboutChat) await requireNoFavor(db, wanted)
    const answered = await findAnswered(db, ids, subject)
    requireItem(action, item)
    if (action === 'remove_message') requireDisclosed(item!, answered)
    if (action === 'remove_post') await requirePost(db, item!, subject)
    if (ofCommunities.has(action)) await requireCommunity(db, subject)
    const entry = { operator: caller.address, action, subject, until: end, reason, reports: ids, item }
    const logged = await store.act(db, standing.subjectsOf('hold'), entry, answered)
    // The action counts at once on this instance, so that the operator sees its effect.
    await standing.refresh()
    if (action === 'remove_post') events.poke()
    if (action === 'revoke_tokens') await grants.learn()
    return [logged]
  },

  async getSubject({ db, standing }, { params: { address } }) {
    const chat = chatKey(address)
    const [face, history, counts, aboutChat] = await Promise.all([
      store.findFace(db, address),
      findEntries(db, { subject: address }),
      reports.countReports(db, address),
      chat === address ? [] : findEntries(db, { subject: chat }),
    ])
    const sanctions = [
      ...sanctionsOf(standing, address, ['mute', 'ban', 'shadow_mute', 'hold']),
      ...sanctionsOf(standing, chat, chat === address ? ofChat : [...ofChat, 'hold']),
    ]
    const latest = [...history, ...aboutChat]
      .toSorted((one, other) => other.id - one.id)
      .slice(0, mostHistory)
    return [{ address, ...face, sanctions, reports: counts, history: latest }]
  },

  async listModerationLog({ db }, { query }) {
    return inPortions(db, query, {
      most: 100,
      read: findEntries,
      after: ({ id }) => ({ before: id }),
    })
  },

  async countModeration({ db }) {
    const [actions, end] = await Promise.all([store.countActions(db, db.now() - month), readEnd(db)])
    return { actions, log_id: end.id, log_hash: end.hash }
  },

  async listSanctions({ standing }, { caller }) {
    return sanctionsOf(standing, caller.address, ['mute', 'ban'])
  },

  async listNotices({ db }, { caller }) {
    return store.findNotices(db, caller.address)
  },
}

export const queueHandlers: Handlers<typeof reportQueue> = {
  async listReports({ db }, { caller, query }) {
    return inPortions(db, query, {
      most: 100,
      read: (on, page) => reports.findQueue(on, caller.address, page),
      after: ({ id }) => ({ after: id }),
    })
  },

  async getReport({ db }, { caller, params: { id } }) {
    const found = await reports.getReport(db, caller.address, Number(id))
    if (!found)
      throw new ApiError(
        'not_found',
        `There is no report ${id} for you: old ones are deleted, and one about you is for other operators.`,
      )
    return [found]
  },
}

/** Returns true when the subject of an action is a chat; a hold may be on either, and no wallet has the name of a community. */
const isOfChat = async (db: Db, { action, subject }: { action: Action; subject: string }) =>
  targets[action] === 'chat' ||
  (targets[action] === 'either' && (await store.hasCommunity(db, chatKey(subject))))

/** Returns the reports that an action answers: they must be about its subject. */
async function findAnswered(db: Db, ids: number[], subject: string): Promise<reports.Answered[]> {
  if (ids.length === 0) return []
  const found = await reports.findAnswered(db, ids)
  const wrong = ids.find((id) => !found.some((report) => report.id === id && report.subject === subject))
  if (wrong === undefined) return found
  throw badRequest([
    { pointer: '/body/report_ids', detail: `must be reports of ${subject}, and ${wrong} is none` },
  ])
}

const ofMessages: readonly Action[] = ['remove_message', 'remove_post']

function requireItem(action: Action, item: number | null): void {
  if (ofMessages.includes(action) === (item !== null)) return
  throw badRequest([
    {
      pointer: '/body/item_id',
      detail: item === null ? 'is required: the message' : `is for ${ofMessages.join(' and ')}: leave it out`,
    },
  ])
}

/** Operators act on direct messages that were disclosed to them, and on no others. */
function requireDisclosed(item: number, answered: reports.Answered[]): void {
  if (!answered.some(({ direct }) => direct.includes(item)))
    throw badRequest([
      { pointer: '/body/item_id', detail: 'must be a direct message in one of the given reports' },
    ])
}

async function requirePost(db: Db, item: number, author: string): Promise<void> {
  if (!(await store.findPost(db, item, author)))
    throw badRequest([{ pointer: '/body/item_id', detail: `must be a post of ${author}` }])
}

async function requireCommunity(db: Db, chat: string): Promise<void> {
  if (!(await store.hasCommunity(db, chat)))
    throw badRequest([
      {
        pointer: '/body/subject',
        detail: 'must be the name of a community. close_chat closes the chat of an NFT',
      },
    ])
}

const sanctionsOf = <Kind extends SanctionKind>(
  standing: Standing,
  address: string,
  kinds: readonly Kind[],
) =>
  kinds.flatMap((kind): (Omit<Sanction, 'kind'> & { kind: Kind })[] => {
    const found = standing.sanction(address, kind)
    if (!found) return []
    return [{ kind, ...(found.until < Infinity && { until: new Date(found.until).toISOString() }) }]
  })
