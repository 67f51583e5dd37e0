import { useClaim } from '../names/imported-claims.ts'
import { WalletRow } from '../names/WalletRow.tsx'

interface Props {
  address: string
  /** The person was there. */
  system: string
}

/** Says where a person was imported from, and which wallet they have here. */
export function ImportedPerson({ address, system }: Props) {
  const claim = useClaim(address)
  if (!claim)
    return (
      <p className="text-sm text-pretty text-muted">
        Imported from {system}, with the name they had there. They have no wallet here, so you can’t write to
        them.
      </p>
    )
  return (
    <>
      <p className="text-sm text-pretty text-muted">
        Imported from {system}, with the name they had there. The administrator has confirmed that they are
        this wallet here:
      </p>
      <ul>
        <WalletRow address={claim.walletaddr} hint="Open their profile to write to them" />
      </ul>
    </>
  )
}
