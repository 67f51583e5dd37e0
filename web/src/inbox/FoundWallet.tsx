import { getAddress } from '../names/checksum.ts'
import { useProfile } from '../names/profile.ts'
import { isEvmAddress, shortAddress } from '../seal/address.ts'
import { AddressBlocks } from '../seal/AddressBlocks.tsx'
import { Avatar } from '../seal/Avatar.tsx'
import { EnsName } from './EnsName.tsx'
import { LookAlikeWarning } from './LookAlikeWarning.tsx'

/** Shows the wallet that was found, before its conversation opens. */
export function FoundWallet({ address }: { address: string }) {
  const { name, picture } = useProfile(address)
  return (
    <div role="status" className="grid overflow-hidden rounded-xl border border-line bg-page">
      <div className="grid gap-2 p-3">
        <div className="flex items-center gap-3">
          <Avatar seed={address} picture={picture} />
          <div className="min-w-0">
            <p className="truncate font-semibold">{name || shortAddress(address)}</p>
            <EnsName address={address} />
          </div>
        </div>
        <AddressBlocks address={isEvmAddress(address) ? getAddress(address) : address} />
      </div>
      <LookAlikeWarning address={address} />
    </div>
  )
}
