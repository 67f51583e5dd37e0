import { TriangleAlert } from 'lucide-react'
import { useLookAlike } from '../inbox/look-alikes.ts'
import { getAddress } from '../names/checksum.ts'
import { useName } from '../names/profile.ts'
import { WalletName } from '../names/WalletName.tsx'
import { useMe } from '../service/session.ts'
import { isEvmAddress } from '../seal/address.ts'
import { AddressBlocks } from '../seal/AddressBlocks.tsx'
import { Seal } from '../seal/Seal.tsx'
import { useTrust } from './trust.ts'

interface Other {
  address: string
  why: 'digits' | 'name'
  /** The reader knows it by this name, if it is known already. */
  title?: string
}

/** Lists the wallets for which this one could be mistaken, each with what differs. */
export function LookAlikeComparison({ address }: { address: string }) {
  const me = useMe()
  return useOthers(address).map(({ address: other, why, title }) => (
    <div
      key={other}
      role="note"
      className="grid gap-3 rounded-xl bg-danger-soft p-3.5 text-sm text-danger forced-colors:border"
    >
      <p className="text-pretty">
        <TriangleAlert className="me-1.5 mb-0.5 inline size-4.5" aria-hidden="true" />
        <strong className="text-base">
          Not {title ?? (other === me ? 'your own wallet' : <WalletName address={other} />)}
        </strong>
        ,{' '}
        {why === 'digits'
          ? 'whose address begins and ends with the same digits'
          : 'who has a name like this one'}
        . What differs is marked:
      </p>
      <div className="flex items-center gap-3">
        {/* Side by side, the seals show the difference at a glance. */}
        <span className="flex shrink-0 gap-1.5" aria-hidden="true">
          <span className="size-9">
            <Seal seed={address} />
          </span>
          <span className="size-9">
            <Seal seed={other} />
          </span>
        </span>
        <AddressBlocks address={isEvmAddress(other) ? getAddress(other) : other} unlike={address} />
      </div>
    </div>
  ))
}

/** The wallets of the inbox are known at once, the others when the service has responded. */
function useOthers(address: string): Other[] {
  const near = useLookAlike(address, useName(address).ownName)
  const found: Other[] = useTrust(address)?.looks_like ?? []
  if (!near) return found
  return [near, ...found.filter((one) => one.address !== near.address)]
}
