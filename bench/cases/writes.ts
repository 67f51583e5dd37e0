// These are the cases that write. Their baselines are in baselines.ts.

import { type Case, each, inTurn } from './case.ts'
import { bareInsert, postAlone, sendAlone, text } from './baselines.ts'
import { chatName, chats, busyPair, type Pair, person } from '../data/layout.ts'
import { polls } from './reads.ts'
import { signIns, spending } from './sign-ins.ts'
import { somePairs } from './targets.ts'
import { request, type Access } from '../service/access.ts'

const send = (access: Access, [fromaddr, toaddr]: Pair) =>
  request(access, fromaddr, 'POST', '/v1/create_chatitem', { fromaddr, toaddr, message: text })

const sends = (access: Access) =>
  inTurn(
    somePairs(access).map((pair) => send(access, pair)),
    'send',
  )

export const sending = (connections: number): Case => ({
  name: `send-${connections}`,
  about: 'direct messages between 2,000 pairs of wallets',
  connections,
  grows: true,
  traffic: sends,
  baselines: [each('send', somePairs, sendAlone), bareInsert],
})

export const sendingIntoOne: Case = {
  name: 'send-one',
  about: 'direct messages into one conversation, which takes 1,000/s',
  connections: 32,
  saturated: true,
  traffic: (access) => inTurn([send(access, busyPair)], 'send'),
  // This case measures the cap of one conversation. A baseline has no cap, and would move the time of the conversation
  // ahead of the service's clock.
  baselines: [],
}

/** Posts one after the other, from 2,000 wallets, each in a chat of a kind. */
function posting(
  name: string,
  about: string,
  chatOf: (n: number) => number,
  kindOf: (n: number) => string,
): Case {
  const posts = Array.from({ length: 2000 }, (_, n) => [person(n), chatName(chatOf(n))] as const)
  return {
    name,
    about,
    connections: 32,
    traffic: async (access) => {
      const requests = await Promise.all(
        posts.map(async ([fromaddr, nftaddr], n) => {
          const body = { fromaddr, nftaddr, message: text }
          return {
            bytes: await request(access, fromaddr, 'POST', '/v1/create_groupchatitem', body),
            kind: kindOf(n),
          }
        }),
      )
      return { requests, once: false }
    },
    baselines: [each('post', () => posts, postAlone), bareInsert],
  }
}

export const posts = posting(
  'post',
  'messages into 200 group chats',
  (n) => n % chats,
  () => 'post',
)

// One in 50 is a post there, so that the large chat stays below the 1,000 messages a second that one chat accepts.
const nth = 50

export const postsIntoLarge = posting(
  'post-large',
  `one message in ${nth} into a chat of 100,000 members, beside chats of a few`,
  (n) => (n % nth === 0 ? 0 : 1 + (n % (chats - 1))),
  (n) => (n % nth === 0 ? 'large' : 'small'),
)

export const signingIn: Case = {
  name: 'sign-in',
  about: 'wallets that post a signed nonce',
  connections: 16,
  traffic: signIns,
  baselines: [spending],
}

const pollsPerSend = 5

export const mixed: Case = {
  name: 'mixed',
  about: 'five polls for each message sent',
  connections: 32,
  traffic: async (access) => {
    const { requests: reads } = await polls(access)
    const { requests: writes } = await sends(access)
    const count = writes.length * (pollsPerSend + 1)
    const requests = Array.from({ length: count }, (_, n) => {
      const list = n % (pollsPerSend + 1) === 0 ? writes : reads
      return list[Math.floor(n / (list === writes ? pollsPerSend + 1 : 1)) % list.length]!
    })
    return { requests, once: false }
  },
  baselines: [],
}
