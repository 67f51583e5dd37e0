import { newWallet, type Service } from '../service/service.ts'

type ChatMember = Awaited<ReturnType<typeof chatMember>>

/** Makes a wallet that has joined a chat, and what it does there. */
export async function chatMember(service: Service, nftaddr: string, address = newWallet()) {
  const client = await service.as(address)
  const at = { nftaddr }
  await client.joinChat({ body: { walletaddr: address, nftaddr } })
  return {
    address,
    client,
    post: async (message: string) =>
      (await client.postGroupMessage({ body: { fromaddr: address, nftaddr, message } }))[0]!,
    read: (query = {}) => client.listGroupMessages({ address: nftaddr, useraddress: address, query }),
    unread: () => client.countUnreadOfChat({ address: nftaddr, useraddress: address }),
    row: async () => (await client.getInbox({ address })).find((row) => row.nftaddr === nftaddr)!,
    readTo: (id: number) => client.markReadTo({ addr: nftaddr, body: { id, context_type: 'community' } }),
    remove: (id: number, reason = '') => client.removePost({ ...at, id, query: { reason } }),
    restrict: (walletaddr: string, body: object) => client.restrictMember({ ...at, walletaddr, body }),
    rules: (body: object) => client.setChatRules({ ...at, body }),
    held: () => client.listHeldPosts(at),
    decide: (id: number, approve: boolean) => client.decideHeldPost({ ...at, id, body: { approve } }),
    log: async () => (await client.listChatLog(at)).map(({ action, subject }) => [action, subject]),
  }
}

/** Makes a community with its owner and some members. */
export async function newCommunity(service: Service, community: string, members = 2) {
  const owner = newWallet()
  await (await service.as(owner)).createCommunity({ body: { community } })
  return [
    await chatMember(service, community, owner),
    ...(await Promise.all(Array.from({ length: members }, () => chatMember(service, community)))),
  ] as [ChatMember, ChatMember, ChatMember, ...ChatMember[]]
}
