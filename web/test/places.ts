import type { Service } from '../../testing/service/service.ts'
import type { Person } from './person.ts'

export const punks = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'

/**
 * Fills the service with names, conversations, a community, an NFT chat and comments, all through
 * its interface. `suffix` makes names and the community unique where it is filled more than once.
 */
export async function fill(service: Service, me: Person, peers: string[], suffix = ''): Promise<void> {
  const names = ['Alice', 'Carol', 'print.studio', 'Bob'].map((name) => name + suffix)
  const community = `gallery${suffix}`
  const asMe = await service.as(me.address)
  await asMe.setName({ body: { address: me.address, name: `Alex${suffix}` } })
  const clients = await Promise.all(peers.map((peer) => service.as(peer)))
  for (const [i, peer] of peers.entries()) {
    await clients[i]!.setName({ body: { address: peer, name: names[i % names.length]! } })
    await clients[i]!.sendDirectMessage({
      body: { fromaddr: peer, toaddr: me.address, message: openings[i % openings.length]! },
    })
  }
  const [peer, asPeer] = [peers[0]!, clients[0]!]
  await asMe.acceptRequests()
  const talk = [
    [me.address, 'Just the proof that it is yours. Can you send the listing?'],
    [peer, 'Sure: https://example.org/punks/721'],
    [peer, 'I kept the price from last week. The hat alone is worth it.'],
    [me.address, 'Fair. Let me sleep over it and write to you tomorrow morning.'],
    [peer, 'Take your time. I am not going anywhere with that hat.'],
  ] as const
  for (const [fromaddr, message] of talk)
    await (fromaddr === peer ? asPeer : asMe).sendDirectMessage({
      body: { fromaddr, toaddr: fromaddr === peer ? me.address : peer, message },
    })
  const nft = { nftaddr: punks, nftid: '721' }
  await asPeer.sendDirectMessage({
    body: {
      fromaddr: peer,
      toaddr: me.address,
      message: 'About the punk: the offer stands until Friday.',
      ...nft,
    },
  })
  await clients[1]!.createCommunity({
    body: {
      community,
      social: [
        { name: 'gallery', type: 'twitter' },
        { name: 'gallery', type: 'farcaster' },
      ],
    },
  })
  for (const nftaddr of [community, punks]) {
    for (const [i, walletaddr] of [me.address, ...peers].entries())
      await (i === 0 ? asMe : clients[i - 1]!).joinChat({ body: { walletaddr, nftaddr } })
    for (const [i, message] of groupMessages.entries())
      await clients[i % clients.length]!.postGroupMessage({
        body: { fromaddr: peers[i % peers.length]!, nftaddr, message },
      })
  }
  await asPeer.createComment({ body: { fromaddr: peer, ...nft, nftid: 721, message: 'What a hat.' } })
  await clients[1]!.createComment({
    body: {
      fromaddr: peers[1]!,
      ...nft,
      nftid: 721,
      message: 'The best one of the whole set, if you ask me.',
    },
  })
}

/** Spreads the messages over days, the newest close together, and marks those of the wallet as read. */
export async function spreadOut({ ctx }: Service, me: string): Promise<void> {
  await ctx.db.query('update direct_messages set read = true where fromaddr = $1', [me])
  for (const [messages, rows, key] of [
    ['direct_messages', 'conversations', 'm.conversation_id = c.id'],
    ['group_messages', 'group_chats', 'm.chat = c.chat'],
  ] as const) {
    await ctx.db.query(
      `update ${messages} m set ms = $1::bigint - (1200000 * power(older.place, 1.9))::bigint from
         (select id, row_number() over (order by id desc) as place from ${messages}) older
       where older.id = m.id`,
      [Date.now()],
    )
    await ctx.db.query(
      `update ${rows} c set copy_ms = null, last_ms = (select max(ms) from ${messages} m where ${key})
       where last_id is not null`,
    )
  }
}

const openings = [
  'gm! You asked about the punk with the hat. What would you like to know?',
  'The prints arrived. They look great on the wall.',
  'Are you coming to the opening on Friday?',
  'Thank you!',
]

const groupMessages = [
  'Good morning everybody. The new room opens on Friday at six.',
  'Can we bring guests?',
  'Of course, the more the better.',
  'I will be there. Who brings the projector?',
]
