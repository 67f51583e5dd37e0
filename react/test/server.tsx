// What a server renders, which has a session at hand: it must neither show it to the visitor nor send anything.

import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import {
  createParley,
  ParleyProvider,
  useComments,
  useConversation,
  useInbox,
  useSignIn,
  useUnread,
} from '../src/index.ts'

const sent: unknown[] = []
const nft = { nftaddr: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb', nftid: '1' }
const parley = createParley({
  baseUrl: 'https://chat.example.org',
  session: { address: nft.nftaddr, token: 'a token' },
  remember: true,
  fetch: async (...input) => {
    sent.push(input)
    return new Response('[]')
  },
})

function All() {
  const { status, address } = useSignIn()
  const conversation = useConversation(nft.nftaddr, { nft })
  const comments = useComments(nft)
  const inbox = useInbox()
  const unread = useUnread()
  const statuses = [status, conversation.status, comments.status, inbox.status, unread.status]
  return <p>{[...statuses, String(address), conversation.messages.length, String(unread.count)].join(' ')}</p>
}

Object.assign(globalThis, {
  rendered: renderToString(
    <StrictMode>
      <ParleyProvider parley={parley}>
        <All />
      </ParleyProvider>
    </StrictMode>,
  ),
  sent,
  kept: parley.entries.size,
})
