import { defaults } from '../../server/src/messages/notification-policy.ts'
import { type Person, token } from './reading.ts'

/** Reacts in all ways to a post, and to a message of a conversation, which a friend pins. */
export async function reactAndPin({ address, client }: Person, friend: Person, post: number): Promise<void> {
  for (const values of [['👍', '🎉'], ['👍']]) await client.react({ id: post, body: { values } })
  for (const values of [['👍', '❤️'], []]) await friend.client.react({ id: post, body: { values } })
  // Several at once share a statement.
  const body = { fromaddr: address, nftaddr: token.nftaddr, message: 'gm' }
  const posts = await Promise.all(Array.from({ length: 6 }, () => client.postGroupMessage({ body })))
  await Promise.all(posts.flat().map(({ id }) => friend.client.react({ id, body: { values: ['👍'] } })))
  const toFriend = { fromaddr: address, toaddr: friend.address, message: 'gm' }
  const [greeting] = await client.sendDirectMessage({ body: toFriend })
  await friend.client.sendDirectMessage({
    body: { ...toFriend, fromaddr: friend.address, toaddr: address },
  })
  await friend.client.react({ id: greeting!.id, body: { values: ['👍'] } })
  await friend.client.pinMessage({ id: greeting!.id })
  await friend.client.unpinMessage({ id: greeting!.id })
}

/** Edits a direct message and a post, which are new. */
export async function editOwn({ address, client }: Person, friend: Person): Promise<void> {
  const said = { fromaddr: address, message: 'gm' }
  const [sent] = await client.sendDirectMessage({ body: { ...said, toaddr: friend.address } })
  const [post] = await client.postGroupMessage({ body: { ...said, nftaddr: token.nftaddr } })
  for (const { id } of [sent!, post!]) {
    await client.editMessage({ id, body: { message: 'good morning', revision: 0 } })
    await client.listEdits({ id })
  }
}

/** Posts, and reacts to it; and pins a note to itself. Both stay until the wallet is erased. */
export async function reactToOwn({ address, client }: Person): Promise<void> {
  const [post] = await client.postGroupMessage({
    body: { fromaddr: address, nftaddr: token.nftaddr, message: 'last' },
  })
  await client.react({ id: post!.id, body: { values: ['👍'] } })
  const note = { fromaddr: address, toaddr: address, message: 'last' }
  const [sent] = await client.sendDirectMessage({ body: note })
  await client.pinMessage({ id: sent!.id })
}

/** Turns on notifications about reactions, so that the reader of the log looks for them. */
export const wantReactions = async ({ client }: Person): Promise<unknown> =>
  client.setNotificationRules({ body: { ...defaults, push: { ...defaults.push, reactions: true } } })
