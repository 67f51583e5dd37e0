import { type Parley, useConversation, useUnread } from '@parley/react'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { isEncrypted } from './encryption.ts'
import { OpenOwn } from './OpenOwn.tsx'
import type { About } from './place.ts'
import type { Site } from './site.ts'
import { shortAddress } from '../seal/address.ts'
import { Thread } from './Thread.tsx'

interface Props {
  parley: Parley
  site: Site
  me: string
  peer: string
  nft: About | undefined
  openOwn: string
}

type Known = 'checking' | 'clear' | 'encrypted' | 'failed'

/** Shows the messages between the visitor and one wallet. Nothing is written in the clear where the two encrypt. */
export function Conversation({ parley, site, me, peer, nft, openOwn }: Props) {
  const conversation = useConversation(peer, { nft, whole: true })
  const { count = 0 } = useUnread(peer)
  const { isShown } = useSyncExternalStore(site.subscribe, site.get)
  const [known, setKnown] = useState<Known>('checking')
  const look = useCallback(async (): Promise<boolean> => {
    try {
      const found = (await isEncrypted(parley, me, peer)) ? 'encrypted' : 'clear'
      setKnown(found)
      return found === 'clear'
    } catch {
      setKnown('failed')
      return false
    }
  }, [parley, me, peer])
  const { messages, markRead } = conversation
  useEffect(() => void look(), [look])
  useEffect(() => site.tell({ tell: 'unread', count: isShown ? 0 : count }), [site, count, isShown])
  useEffect(() => {
    if (isShown && known === 'clear') void markRead()
  }, [messages, markRead, isShown, known])

  if (known === 'encrypted' || conversation.isEncrypted)
    return (
      <div className="m-auto grid gap-3 p-6 text-center">
        <p>This conversation is encrypted: open it in Parley. Its keys are there.</p>
        <OpenOwn className="rounded-xl bg-accent px-4 py-3 font-medium text-on-accent" href={openOwn}>
          Open in Parley
        </OpenOwn>
      </div>
    )
  if (known === 'checking') return <p className="m-auto text-muted">Loading …</p>
  if (known === 'failed')
    return (
      <div role="alert" className="m-auto grid gap-3 p-6 text-center">
        <p>The conversation can’t be read now.</p>
        <button
          type="button"
          className="min-h-11 rounded-xl border border-line bg-raised px-4 font-medium"
          onClick={() => {
            setKnown('checking')
            void look()
          }}
        >
          Try again
        </button>
      </div>
    )
  const isRequest = messages.length > 0 && messages.every(({ fromaddr }) => fromaddr === me)
  return (
    <Thread
      {...{ me, openOwn }}
      thread={conversation}
      label="Message"
      readers={`Not encrypted: ${location.host} can read what is written here.`}
      note={
        isRequest ? 'If you are new to them, this waits among their requests until they answer.' : undefined
      }
      // What was written about this token, or about none, needs no word.
      aboutOf={({ nftaddr, nftid }) =>
        nftaddr && !(nftaddr === nft?.nftaddr && nftid === nft.nftid)
          ? `About ${shortAddress(nftaddr)} #${String(nftid)}`
          : undefined
      }
      // The other one may have turned encryption on since.
      mayWrite={look}
    />
  )
}
