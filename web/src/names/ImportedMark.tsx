import { importedFrom } from '@parley/sdk/imported.ts'
import { shortAddress } from '../seal/address.ts'
import { useClaim } from './imported-claims.ts'
import { useName } from './profile.ts'

/** Shows beside a name that its person was imported from elsewhere, and which wallet they have here; nothing for a wallet. */
export function ImportedMark({ address }: { address: string }) {
  const system = importedFrom(address)
  const claim = useClaim(address)
  if (!system) return null
  return (
    <span
      title={
        claim
          ? `Imported from ${system}. The administrator gave the name to this wallet: ${claim.walletaddr}`
          : `Imported from ${system}: this person has no wallet here`
      }
      className="inline-block max-w-full shrink-0 rounded-md bg-sunken px-1.5 align-baseline text-xs leading-4 font-medium wrap-anywhere text-muted forced-colors:border"
    >
      Imported{claim && <NowName address={claim.walletaddr} />}
    </span>
  )
}

function NowName({ address }: { address: string }) {
  const { name } = useName(address)
  return <>, now {name || shortAddress(address)}</>
}
