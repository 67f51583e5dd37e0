import type { Body } from '@parley/sdk/contract/endpoint.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Evidence, reports } from '@parley/sdk/contract/reports.ts'
import { requireNoBan } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import { type Handlers, twoSteps } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { requireChat } from '../../messages/chat-access.ts'
import { setContact } from '../../messages/set-contact.ts'
import { disclose } from './disclosed.ts'
import { merge, sizeOf } from './evidence.ts'
import * as store from './store.ts'
import { weigh } from './weight.ts'

type NewReport = Body<typeof reports.createReport>

interface Reported {
  subject: string
  isChat: boolean
  evidence: Evidence[]
}

export const handlers: Handlers<typeof reports> = {
  createReport: twoSteps(
    async (ctx, { caller: { address }, body }) => {
      if (body.reason !== 'appeal') requireNoBan(ctx.standing, address)
      const reported = await findReported(ctx, address, body)
      return { ...reported, weight: await weigh(ctx.db, address) }
    },
    async (
      { db, config, quotas },
      { caller: { address }, body: { reason, text, block }, full, http: { request } },
      reported,
    ) => {
      const { subject, isChat } = reported
      // This comes first, as in everything that announces an event.
      if (
        block &&
        !isChat &&
        !(await setContact(db, address, subject, { blocked: true }, config.contactsInAll))
      )
        throw full(
          config.contactsInAll,
          'Report without block, or take back a block that you no longer need first.',
        )
      const { report } = await quotas.chargeCopies(
        request.who,
        sizeOf(reported.evidence),
        () => store.insertReport(db, { reporter: address, reason, text, ...reported }),
        ({ isChanged }) => isChanged,
      )
      return [report]
    },
  ),

  async listOwnReports({ db }, { caller }) {
    return store.findReports(db, caller.address)
  },
}

async function findReported(ctx: Context, caller: string, body: NewReport): Promise<Reported> {
  const { peer, item_ids: ids, chat, reason, keys = {} } = body
  const named = [peer, ids, chat].filter((one) => one !== undefined).length
  if (named !== (reason === 'appeal' ? 0 : 1))
    throw badRequest([
      {
        pointer: '/body/peer',
        detail:
          reason === 'appeal'
            ? 'must be left out, as item_ids and chat: an appeal is about your own wallet'
            : 'or item_ids or chat is required, and one of them alone: what is reported',
      },
    ])
  for (const id of Object.keys(keys))
    if (!ids?.includes(Number(id)))
      throw badRequest([{ pointer: `/body/keys/${id}`, detail: 'must be the key of one of item_ids' }])
  if (reason === 'appeal') return { subject: caller, isChat: false, evidence: [] }
  if (chat !== undefined)
    return { subject: (await requireChat(ctx, chat, caller)).chat, isChat: true, evidence: [] }
  const evidence = ids ? merge([], await findEvidence(ctx, caller, ids, keys)) : []
  const subjects = new Set(ids ? evidence.map(({ fromaddr }) => fromaddr) : [peer!])
  const [subject] = subjects
  if (subjects.size > 1)
    throw badRequest([{ pointer: '/body/item_ids', detail: 'must be messages of one wallet' }])
  if (subject === caller)
    throw badRequest([
      { pointer: ids ? '/body/item_ids' : '/body/peer', detail: 'must be of another wallet than your own' },
    ])
  return { subject: subject!, isChat: false, evidence }
}

/** Reads them one after the other: they are few, and each may need a query to a chain. */
async function findEvidence(
  ctx: Context,
  caller: string,
  ids: number[],
  keys: Record<string, string>,
): Promise<Evidence[]> {
  const evidence: Evidence[] = []
  for (const id of ids) evidence.push(await findOne(ctx, caller, id, keys[id]))
  return evidence
}

async function findOne(ctx: Context, caller: string, id: number, key?: string): Promise<Evidence> {
  const found = await store.findMessage(ctx.db, caller, id)
  if (found) {
    const { fromaddr, toaddr, ms } = found
    const disclosed = disclose(found, key)
    if (!disclosed)
      throw badRequest([
        { pointer: `/body/keys/${id}`, detail: 'does not open the message: it is not its key' },
      ])
    return { id, fromaddr, toaddr, at: new Date(ms).toISOString(), ...disclosed, ...besides(found) }
  }
  const post = await store.findPost(ctx.db, id)
  if (!post || !(await mayRead(ctx, post.nftaddr, caller)))
    throw new ApiError('not_found', `You can see no message ${id}: it may have been deleted.`)
  const { fromaddr, nftaddr, ms, message } = post
  return {
    id,
    fromaddr,
    nftaddr,
    at: new Date(ms).toISOString(),
    proof: 'stored',
    message,
    ...besides(post),
  }
}

/** Returns what a report has of a message besides its text. */
const besides = ({
  earlier,
  clear_files: files,
}: Pick<store.FoundPost, 'earlier' | 'clear_files'>): Pick<Evidence, 'earlier' | 'clear_files'> => ({
  ...(earlier && { earlier }),
  ...(files && { clear_files: files }),
})

async function mayRead(ctx: Context, nftaddr: string, wallet: string): Promise<boolean> {
  try {
    await requireChat(ctx, nftaddr, wallet)
    return true
  } catch (error) {
    // A chain that does not answer is not the same as no.
    if (error instanceof ApiError && ['forbidden', 'not_found'].includes(error.code)) return false
    throw error
  }
}
