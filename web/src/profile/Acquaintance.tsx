import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useKnownKey } from '../keys/known.ts'
import { showNumber } from '../keys/shown-number.ts'
import { hideProfile } from '../names/card.ts'
import { WalletName } from '../names/WalletName.tsx'
import { client, query } from '../service/api.ts'
import { useMe } from '../service/session.ts'
import { longDate } from '../ui/time.ts'

/** Since when two wallets write to each other, and the chats that both have joined. */
export function Acquaintance({ address }: { address: string }) {
  const me = useMe()
  const { data: messages } = useQuery({
    queryKey: ['firstMessage', address],
    queryFn: () => client.listConversation({ fromaddr: me, toaddr: address, query: { after: 0, limit: 1 } }),
  })
  const { data: chats } = useQuery(query('listSharedChats', { walletaddr: address }))
  const isEncrypted = useKnownKey(address) !== undefined
  return (
    <dl className="grid gap-2 text-sm">
      {messages && (
        <Fact name="Messages">
          {messages[0] ? `Since ${longDate(messages[0].timestamp)}` : 'None yet between you two'}
        </Fact>
      )}
      {isEncrypted && (
        <Fact name="Encryption">
          <button type="button" className="underline underline-offset-2" onClick={() => showNumber(address)}>
            Compare the safety number
          </button>
        </Fact>
      )}
      {chats && chats.length > 0 && (
        <Fact name="In common">
          {chats.map(({ nftaddr, context_type }, i) => (
            <span key={nftaddr}>
              {i > 0 && ', '}
              <Link
                to={`/${context_type === 'nft' ? 'nft' : 'c'}/${encodeURIComponent(nftaddr)}`}
                onClick={hideProfile}
                className="underline underline-offset-2"
              >
                <WalletName address={nftaddr} />
              </Link>
            </span>
          ))}
        </Fact>
      )}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex gap-3">
    <dt className="w-24 shrink-0 text-muted">{name}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </div>
)
