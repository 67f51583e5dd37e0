import type { Trust } from '@parley/sdk'
import { Link } from 'react-router'
import { chainName } from '@parley/sdk/chain-names.ts'
import { WalletName } from '../names/WalletName.tsx'
import { hideProfile } from '../names/shown-profile.ts'
import { shortTime } from '../state/time.ts'
import { Fact } from './Fact.tsx'
import { howContactsWent, sentencesOf, sinceWhen, useTrust } from './trust.ts'

/**
 * Shows what is known about a wallet, each fact beside its source, and never a score. Unknown facts are not mentioned:
 * they say nothing against a wallet.
 */
export function TrustFacts({ address }: { address: string }) {
  const trust = useTrust(address)
  if (!trust) return null
  return (
    <>
      {trust.official && (
        <Fact name="Official">
          On the team of {location.host}: {trust.official}.
        </Fact>
      )}
      {trust.claims_official && (
        <Fact name="Not official">Their name says so, but they are not on the team of {location.host}.</Fact>
      )}
      {trust.is_bot && <Fact name="Bot">This is a program. Bots can’t start conversations.</Fact>}
      <Fact name={location.host}>
        <span>{sinceWhen(trust)}</span>
        {trust.teams.map(({ nftaddr, label }) => (
          <span key={nftaddr}>
            On the team of the chat <WalletName address={nftaddr} />: {label}.
          </span>
        ))}
        <SharedChats shared={trust.shared_chats} />
        {trust.first_contacts && <span>{howContactsWent[trust.first_contacts]}</span>}
      </Fact>
      {trust.chain.map((facts) => (
        <Fact key={facts.chain} name={chainName(facts.chain)}>
          {sentencesOf(facts).map((sentence) => (
            <span key={sentence}>{sentence}</span>
          ))}
          <Checked at={facts.checked_at} />
        </Fact>
      ))}
      {trust.holds.length > 0 && (
        <Fact name="Tokens">
          {trust.holds.map(({ nftaddr, holds }) => (
            <span key={nftaddr}>
              {holds ? 'They own an NFT from ' : 'They own no NFT from '}
              <WalletName address={nftaddr} />, a chat you joined.
            </span>
          ))}
          <Checked at={trust.holds.map(({ checked_at }) => checked_at).toSorted()[0]!} />
        </Fact>
      )}
      {trust.checking && (
        <Fact name="Chains">
          <span role="status" className="text-muted">
            Checking…
          </span>
        </Fact>
      )}
    </>
  )
}

function SharedChats({ shared: { count, some } }: { shared: Trust['shared_chats'] }) {
  if (count === 0) return <span>No chats in common.</span>
  const more = count - some.length
  return (
    <span>
      You both have joined{' '}
      {some.map(({ nftaddr, context_type }, i) => (
        <span key={nftaddr}>
          {i > 0 && (i === some.length - 1 && more === 0 ? ' and ' : ', ')}
          <Link
            to={`/${context_type === 'nft' ? 'nft' : 'c'}/${encodeURIComponent(nftaddr)}`}
            onClick={hideProfile}
            className="underline underline-offset-2"
          >
            <WalletName address={nftaddr} />
          </Link>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}.
    </span>
  )
}

const Checked = ({ at }: { at: string }) => <span className="text-xs text-muted">Asked {shortTime(at)}</span>
