import type { ChatItem, Client } from '@parley/sdk'
import type { Service } from '../service/service.ts'
import { twoWallets } from './two-wallets.ts'

/** Two wallets that have accepted each other, and the message with which it began. */
export async function friends(of: Service) {
  const t = await twoWallets(of)
  const one = await t.send('one')
  await t.answer('two')
  const edit = async (message: string, revision = 0, more = {}) =>
    (await t.asAlice.editMessage({ id: one.id, body: { message, revision, ...more } }))[0] as ChatItem
  const seenBy = async (client: Client) => (await client.listConversation({ ...t.pair, query: {} }))[0]!
  return { ...t, one, edit, seenBy }
}
