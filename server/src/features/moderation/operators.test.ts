// These are the actions of an operator on their own wallet, on another operator and on a chat of their own: all actions, and the
// reports about it.

import type { Action } from '@parley/sdk/contract/moderation-actions.ts'
import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'
import { targets } from './may-act.ts'

const [one, other] = [newWallet(), newWallet()]
const service = useService()
beforeAll(async () => {
  for (const operator of [one, other]) await addOperator(service, operator)
})

const act = async (operator: string, body: object) =>
  (await service.as(operator)).act({ body: { reason: 'a test', ...body } as never })

/** Makes a report about a wallet, with a message that it has sent. */
async function reportOf(subject: string) {
  const reporter = newWallet()
  const body = { fromaddr: subject, toaddr: reporter, message: 'gm' }
  const [sent] = await (await service.as(subject)).sendDirectMessage({ body })
  const [report] = await (
    await service.as(reporter)
  ).createReport({ body: { reason: 'spam', item_ids: [sent!.id] } })
  return { reporter, id: report!.id, item: sent!.id }
}

test.each((Object.keys(targets) as Action[]).filter((action) => targets[action] !== 'chat'))(
  '%s: never about oneself, and what does something to a wallet never to another operator',
  async (action) => {
    const { id, item } = await reportOf(one)
    const more = {
      ...(action.startsWith('remove_message') && { report_ids: [id], item_id: item }),
      ...(action === 'remove_post' && { item_id: item }),
    }
    const log = async () => (await service.ctx.db.query('select id from moderation_log')).length
    const before = await log()
    const matching = {
      code: 'bad_request',
      errors: [{ pointer: '/body/subject', detail: expect.stringContaining('operator') }],
    }
    await expect(act(one, { action, subject: one, ...more })).rejects.toMatchObject(matching)
    await expect(act(one, { action, subject: one, ...more, report_ids: [id] })).rejects.toMatchObject(
      matching,
    )
    const toOther = act(other, { action, subject: one, ...more })
    if (targets[action] === 'report') await toOther
    else await expect(toOther).rejects.toMatchObject(matching)
    expect(await log()).toBe(before + (targets[action] === 'report' ? 1 : 0))
  },
)

test('an operator does a chat that they own or moderate no favor, nor its rooms, but acts against it; another operator does both', async () => {
  const town = newName('town')
  const asOne = await service.as(one)
  const moderator = newWallet()
  await addOperator(service, moderator)
  await asOne.createCommunity({ body: { community: town } })
  await asOne.createRoom({ community: town, body: { room: 'news' } })
  await asOne.addModerator({ nftaddr: town, walletaddr: moderator })
  const favors = new Set<Action>([
    'open_chat',
    'restore_community',
    'allow_announcements',
    'recommend_community',
    'release',
  ])
  const ofChats = (Object.keys(targets) as Action[]).filter((action) => /chat|either/.test(targets[action]))
  for (const action of ofChats) {
    const takesRooms = targets[action] === 'chat' && !action.endsWith('_community')
    const room = takesRooms ? `${town.toUpperCase()}/news` : town
    for (const [operator, does, subject] of [
      [one, 'own', town],
      [moderator, 'moderate', room],
    ] as const)
      // An owner who makes operators moderators is not safe from them.
      if (!favors.has(action)) await act(operator, { action, subject })
      else
        await expect(act(operator, { action, subject })).rejects.toMatchObject({
          status: 403,
          message: `You ${does} this chat: another operator decides about it.`,
        })
    await act(other, { action, subject: town })
  }
  const log = await service.ctx.db.query<{ action: Action }>(
    'select action from moderation_log where subject = $1 and operator = $2 order by id',
    [town.toLowerCase(), other],
  )
  expect(log.map(({ action }) => action)).toEqual(ofChats)
})

test('an operator reads no report about itself, nor who sent it; another one reads and decides it', async () => {
  const { reporter, id } = await reportOf(one)
  const [asOne, asOther] = [await service.as(one), await service.as(other)]
  for (const query of [{}, { sort: 'age' as const }, { subject: one }]) {
    expect(JSON.stringify(await asOne.listReports({ query }))).not.toContain(reporter)
    expect(JSON.stringify(await asOther.listReports({ query }))).toContain(reporter)
  }
  await expect(asOne.getReport({ id })).rejects.toMatchObject({ code: 'not_found' })
  expect(JSON.stringify(await asOne.getSubject({ address: one }))).not.toContain(reporter)
  expect(await asOther.getReport({ id })).toMatchObject([{ id, reporter }])
  await act(other, { action: 'acknowledge', subject: one, report_ids: [id] })
  expect((await asOther.listReports({ query: { subject: one } })).map((report) => report.id)).not.toContain(
    id,
  )
})
