import { useQuery } from '@tanstack/react-query'
import { useKnownKey } from '../keys/state/known.ts'
import { showNumber } from '../keys/state/shown-number.ts'
import { client } from '../service/api.ts'
import { useMe } from '../service/session.ts'
import { longDate } from '../state/time.ts'
import { Fact } from './Fact.tsx'
import { TrustFacts } from './TrustFacts.tsx'

/** Shows what two wallets have with each other, and what is known about the other one. */
export function Acquaintance({ address }: { address: string }) {
  const me = useMe()
  const { data: messages } = useQuery({
    queryKey: ['firstMessage', address],
    queryFn: () => client.listConversation({ fromaddr: me, toaddr: address, query: { after: 0, limit: 1 } }),
  })
  const isEncrypted = useKnownKey(address) !== undefined
  return (
    <dl className="grid gap-2 text-sm" aria-label="About this person">
      {messages && (
        <Fact name="Messages">
          {messages[0] ? `Since ${longDate(messages[0].timestamp)}` : 'None yet between you two'}
        </Fact>
      )}
      {isEncrypted && (
        <Fact name="Encryption">
          <button
            type="button"
            className="text-start underline underline-offset-2"
            onClick={() => showNumber(address)}
          >
            Verify encryption…
          </button>
        </Fact>
      )}
      <TrustFacts address={address} />
    </dl>
  )
}
