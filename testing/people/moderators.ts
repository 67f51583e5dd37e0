import * as store from '../../server/src/features/moderation/store.ts'
import { moveHere } from './moving-here.ts'
import { base64data, type Person } from './reading.ts'
import { requirePublishing } from '../../server/src/auth/publishing.ts'
import { insertName } from '../../server/src/features/sign-in/store.ts'
import { type Name, parseName } from '../../server/src/values/display-name.ts'
import type { Db } from '../../server/src/db/pool.ts'
import { setOwner } from '../../server/src/features/chat-moderation/roles.ts'
import type { Service } from '../service/service.ts'

/** Makes a wallet an operator, without a row in the log; this instance knows at once. */
export async function addOperator({ ctx }: Service, address: string): Promise<void> {
  await store.addOperator(ctx.db, address, ctx.db.now())
  await ctx.standing.refresh()
}

/** Deletes what is held, in all ways except retention and erasing. */
async function hold(held: Person, { address: to }: Person): Promise<void> {
  const from = held.address
  const send = async () =>
    (await held.client.sendDirectMessage({ body: { fromaddr: from, toaddr: to, message: 'held' } }))[0]!
  await held.client.hideMessage({ id: (await send()).id })
  await held.client.deleteDirectMessage({ id: (await send()).id })
  await send()
  await held.client.hideConversation({ toaddr: to })
  await held.client.deleteConversation({ fromaddr: from, toaddr: to })
  const [post] = await held.client.postGroupMessage({
    body: { fromaddr: from, nftaddr: 'Town', message: 'held' },
  })
  await held.client.removePost({ nftaddr: 'Town', id: post!.id })
}

/** Changes everything that a wallet which is muted unseen can change about itself, which only it sees. */
async function changeUnseen(service: Service, { address, client }: Person, other: Person): Promise<void> {
  const signIn = (name: Name) =>
    insertName(service.ctx.db, requirePublishing(service.ctx.standing, address), address, name)
  await signIn(parseName('Unseen') as Name)
  await client.setName({ body: { address, name: 'Unseen' } })
  for (const name of [address, 'Unseen']) await client.getName({ name })
  await client.createImage({ body: { addr: address, base64data } })
  await client.getImage({ addr: address })
  await client.deleteImage({ addr: address })
  await client.deleteName()
  for (let n = 0; n < 2; n++)
    await client.createCommunity({ body: { community: 'Unseen', social: [{ type: 'web', name: 'town' }] } })
  await client.getCommunity({ community: 'Unseen', address })
  const [post] = await client.postGroupMessage({
    body: { fromaddr: address, nftaddr: 'Unseen', message: 'unseen' },
  })
  await client.announcePost({ id: post!.id })
  await client.restrictMember({
    nftaddr: 'Unseen',
    walletaddr: other.address,
    body: { muted_until: 'forever' },
  })
  await client.listRestricted({ nftaddr: 'Unseen' })
  await other.client.listCommunities({})
}

/** Reports what can be reported, and does all that operators can do. */
export async function moderate(
  service: Service,
  [alice, operator, subject]: [Person, Person, Person],
): Promise<void> {
  await addOperator(service, operator.address)
  await service.app.inject('/c/Town')
  const send = { fromaddr: subject.address, toaddr: alice.address, message: 'spam' }
  const [message] = await subject.client.sendDirectMessage({ body: send })
  const [post] = await subject.client.postGroupMessage({
    body: { fromaddr: subject.address, nftaddr: 'Town', message: 'spam' },
  })
  const ids = { item_ids: [message!.id, post!.id] }
  const [report] = await alice.client.createReport({ body: { ...ids, reason: 'spam', block: true } })
  await alice.client.createReport({ body: { peer: subject.address, reason: 'spam' } })
  const [ofChat] = await alice.client.createReport({ body: { chat: 'Town', reason: 'illegal' } })
  await subject.client.createReport({ body: { reason: 'appeal' } })
  await alice.client.listOwnReports()
  for (const sort of ['weight', 'age'] as const)
    for (const more of [{}, { subject: subject.address }, { after: report!.id, limit: 1 }])
      await operator.client.listReports({ query: { sort, ...more } })
  await operator.client.getReport({ id: report!.id })
  const act = (action: string, more: object = {}) =>
    operator.client.act({
      body: { action: action as 'note', subject: subject.address, reason: 'a test', ...more },
    })
  await act('escalate', { report_ids: [report!.id] })
  await act('remove_message', { report_ids: [report!.id], item_id: message!.id })
  await act('remove_post', { item_id: post!.id })
  for (const action of ['note', 'warn', 'mute', 'ban', 'remove_name', 'remove_picture', 'lift'])
    await act(action)
  const [kept] = await subject.client.postGroupMessage({
    body: { fromaddr: subject.address, nftaddr: 'Town', message: 'kept' },
  })
  await act('shadow_mute')
  const [unseen] = await subject.client.postGroupMessage({
    body: { fromaddr: subject.address, nftaddr: 'Town', message: 'unseen' },
  })
  for (const { id } of [kept!, unseen!])
    await subject.client.editMessage({ id, body: { message: 'edited', revision: 0 } })
  await changeUnseen(service, subject, operator)
  await act('shadow_lift')
  await act('close_chat', { subject: 'Town', report_ids: [ofChat!.id] })
  await act('open_chat', { subject: 'Town' })
  await act('stop_announcements', { subject: 'Town' })
  await act('allow_announcements', { subject: 'Town' })
  await act('recommend_community', { subject: 'Town' })
  await act('unrecommend_community', { subject: 'Town' })
  await act('hold')
  await hold(subject, alice)
  await act('release')
  // It stays, for retention and erasing.
  await act('hold')
  await act('takedown_community', { subject: 'Town' })
  await act('restore_community', { subject: 'Town' })
  await operator.client.getSubject({ address: subject.address })
  await operator.client.getSubject({ address: 'Town' })
  await operator.client.getStatus()
  await operator.client.listModerationLog({})
  const blocked = { sha256: '0'.repeat(64), reason: 'a test' }
  for (let n = 0; n < 2; n++) await operator.client.blockFile({ body: blocked })
  await operator.client.listBlockedFiles({})
  await operator.client.unblockFile(blocked)
  const team = { walletaddr: subject.address }
  for (const label of ['Support', 'Treasury']) await operator.client.addOfficial({ ...team, body: { label } })
  await operator.client.getOfficial(team)
  await operator.client.listOfficial()
  await operator.client.removeOfficial(team)
  await operator.client.countModeration()
  await subject.client.listNotices()
  await subject.client.listSanctions()
}

/** Does all that the owner of a chat and its moderators can do: alice owns the community. */
export async function moderateChat(db: Db, [alice, bob]: [Person, Person]): Promise<void> {
  const at = { nftaddr: 'Town' }
  const walletaddr = bob.address
  const [first] = await alice.client.postGroupMessage({
    body: { fromaddr: alice.address, nftaddr: 'Town', message: 'welcome' },
  })
  const post = (message: string, key?: string) =>
    bob.client.postGroupMessage(
      { body: { fromaddr: walletaddr, nftaddr: 'Town', message, reply_to: first!.id } },
      key === undefined ? {} : { idempotencyKey: key },
    )
  await alice.client.setChatRules({ ...at, body: { words: ['hold'], slow_seconds: 1, retention_days: 9 } })
  const held = [await post('hold', 'held')]
  await post('too soon', 'soon').catch(() => {})
  await alice.client.setChatRules({ ...at, body: { slow_seconds: 0 } })
  held.push(...(await Promise.all([post('hold 2'), post('hold 3')])))
  await bob.client.getInbox({ address: walletaddr })
  await bob.client.listGroupMessages({ address: 'Town', useraddress: walletaddr })
  for (const [own] of held) {
    await bob.client.react({ id: own!.id, body: { values: ['👍'] } })
    await bob.client.editMessage({ id: own!.id, body: { message: 'to review', revision: 0 } }).catch(() => {})
  }
  await alice.client.listHeldPosts(at)
  for (const [n, [item]] of held.entries())
    if (n < 2) await alice.client.decideHeldPost({ ...at, id: item!.id, body: { approve: n === 0 } })
  const [item] = await post('to remove')
  await alice.client.pinMessage({ id: item!.id })
  await alice.client.unpinMessage({ id: item!.id })
  await alice.client.announcePost({ id: first!.id })
  await alice.client.getAnnouncing(at)
  await bob.client.markReadTo({ addr: 'Town', body: { id: item!.id, context_type: 'community' } })
  for (let n = 0; n < 2; n++)
    await alice.client.removePost({ ...at, id: item!.id, query: { reason: 'a test' } })
  await alice.client.restrictMember({ ...at, walletaddr, body: { muted_until: 'forever' } })
  await alice.client.listRestricted(at)
  await alice.client.restrictMember({ ...at, walletaddr, body: {} })
  await alice.client.addModerator({ ...at, walletaddr })
  await alice.client.handOverChat({ ...at, body: { walletaddr } })
  await bob.client.handOverChat({ ...at, body: { walletaddr: alice.address } })
  await alice.client.removeModerator({ ...at, walletaddr })
  await alice.client.listModerators(at)
  for (const label of ['Florist', 'Gardener'])
    await alice.client.addToChatTeam({ ...at, walletaddr, body: { label } })
  await alice.client.listChatTeam(at)
  await alice.client.getTrust({ peer: walletaddr })
  await alice.client.removeFromChatTeam({ ...at, walletaddr })
  // These stay, for the export and for erasing.
  for (const one of [alice.address, walletaddr])
    await alice.client.addToChatTeam({ ...at, walletaddr: one, body: { label: 'Florist' } })
  for (const body of [{ is_open: true }, { is_open: true, search_engines: true }, { is_open: false }])
    await alice.client.setPublicReading({ ...at, body })
  await alice.client.setPublicReading({ ...at, body: { is_open: true } })
  await bob.client.getPublicReading(at)
  for (const shows_name of [true, false, true]) await alice.client.setPublicName({ body: { shows_name } })
  await alice.client.getPublicName()
  await alice.client.getChatRules(at)
  await alice.client.listChatLog(at)
  await alice.client.claimChat(at).catch(() => {})
  // Without a chain it fails, so its statements are run by themselves.
  await setOwner(db, 'unclaimed', alice.address)
  await moveHere(db, alice, at.nftaddr)
}
