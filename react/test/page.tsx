// The page of the tests: what it shows is in its address, so that a test has only what it asks about.

import { type ReactNode, StrictMode, useState } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import {
  createParley,
  type Eip1193Provider,
  type Parley,
  ParleyProvider,
  type Problem,
  useComments,
  useConversation,
  useInbox,
  useOwner,
  useSignIn,
  useUnread,
} from '../src/index.ts'

declare global {
  interface Window {
    ethereum?: Eip1193Provider
    parley: Parley
  }
}

const asked = new URLSearchParams(location.search)
const [baseUrl, peer, nftaddr, nftid] = ['service', 'peer', 'nftaddr', 'nftid'].map(
  (name) => asked.get(name) ?? '',
) as [string, string, string, string]
const address = asked.get('address')
const scopes = asked.get('scopes')?.split(' ')
const token = asked.get('token')

const parley = createParley({
  baseUrl,
  remember: asked.has('remember'),
  ...(address && token && { session: { address, token } }),
})
Object.assign(window, { parley })

const Words = ({ of }: { of: Problem | undefined }) => of && <p role="alert">{`${of.code}: ${of.message}`}</p>

function SignIn() {
  const {
    status,
    address: wallet,
    error,
    asksFor,
    needsMore,
    signIn,
    signOut,
  } = useSignIn(() => window.ethereum, scopes && { scopes })
  return (
    <header>
      <p role="status">{wallet ? `signed in as ${wallet}` : status}</p>
      <Words of={error} />
      {needsMore && <p>More is needed</p>}
      {asksFor && (
        <ul aria-label="Asks for">
          {asksFor.map(({ scope, words }) => (
            <li key={scope}>{words}</li>
          ))}
        </ul>
      )}
      <button onClick={signIn}>Sign in</button>
      <button onClick={signOut}>Sign out</button>
    </header>
  )
}

function Field({ send }: { send: (text: string) => boolean }) {
  const [text, setText] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (send(text)) setText('')
      }}
    >
      <input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />
    </form>
  )
}

function Thread({
  name,
  of,
  children,
}: {
  name: string
  of: ReturnType<typeof useComments> | ReturnType<typeof useConversation>
  children?: ReactNode
}) {
  return (
    <section aria-label={name} data-status={of.status}>
      <Words of={of.error} />
      {of.hasOlder && <button onClick={of.loadOlder}>Older</button>}
      <ul>
        {of.messages.map((one) => (
          <li key={one.key} data-status={one.status} data-read={'read' in one && one.read}>
            <span>{one.message}</span>
            {'reactions' in one && one.reactions?.map(({ value }) => <b key={value}>{value}</b>)}
            {one.status === 'failed' && (
              <>
                <Words of={one.error} />
                <button onClick={() => of.retry(one.key)}>Retry</button>
                <button onClick={() => of.discard(one.key)}>Discard</button>
              </>
            )}
          </li>
        ))}
      </ul>
      <Field send={of.send} />
      <button onClick={of.reload}>Reload</button>
      {children}
    </section>
  )
}

function Conversation({ name }: { name: string }) {
  const conversation = useConversation(
    peer || undefined,
    nftaddr ? { nft: { nftaddr, nftid }, whole: asked.has('whole') } : {},
  )
  return (
    <Thread name={name} of={conversation}>
      {conversation.isEncrypted && <p>encrypted</p>}
      <button onClick={conversation.markRead}>Mark read</button>
    </Thread>
  )
}

const Comments = () => <Thread name="Comments" of={useComments(nftaddr ? { nftaddr, nftid } : undefined)} />

function Inbox() {
  const { rows, status, error } = useInbox({ view: asked.has('requests') ? 'requests' : 'main' })
  return (
    <section aria-label="Inbox" data-status={status}>
      <Words of={error} />
      <ul>
        {rows.map((row) => (
          <li key={row.id}>{`${row.message} (${row.unread})`}</li>
        ))}
      </ul>
    </section>
  )
}

function Unread({ of }: { of?: string }) {
  const { count, error } = useUnread(of)
  return (
    <section aria-label={of ? 'Unread of the peer' : 'Unread'}>
      <Words of={error} />
      <p>{count === undefined ? 'unknown' : `${count} unread`}</p>
    </section>
  )
}

/** A page of a token: who owns it, and the conversation with them. */
function Owner() {
  const { owner, isContract, accepts, status, error, reload } = useOwner(
    nftaddr ? { nftaddr, nftid } : undefined,
  )
  return (
    <section aria-label="Owner" data-status={status}>
      <Words of={error} />
      <p>
        {owner === undefined ? 'nobody' : `${owner} ${isContract ? 'a contract' : 'a wallet'} ${accepts}`}
      </p>
      <button onClick={reload}>Reload</button>
    </section>
  )
}

const parts: Record<string, () => ReactNode> = {
  conversation: () => <Conversation key="one" name="Conversation" />,
  again: () => <Conversation key="two" name="The same" />,
  comments: () => <Comments key="comments" />,
  owner: () => <Owner key="owner" />,
  'same-owner': () => <Owner key="same-owner" />,
  inbox: () => <Inbox key="inbox" />,
  unread: () => <Unread key="unread" />,
  'unread-of-peer': () => <Unread key="unread-of-peer" of={peer} />,
}

function Page() {
  const [isOpen, setOpen] = useState(true)
  const shown = (asked.get('show') ?? '').split(',').filter(Boolean)
  return (
    <StrictMode>
      <ParleyProvider parley={parley}>
        <SignIn />
        <button onClick={() => setOpen(!isOpen)}>{isOpen ? 'Close' : 'Open'}</button>
        {isOpen && shown.map((name) => parts[name]!())}
      </ParleyProvider>
    </StrictMode>
  )
}

const root = document.querySelector('#root')!
if (asked.has('hydrate')) {
  root.innerHTML = renderToString(<Page />)
  hydrateRoot(root, <Page />)
} else createRoot(root).render(<Page />)
