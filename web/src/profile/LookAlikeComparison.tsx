import { TriangleAlert } from 'lucide-react'
import { useLookAlike } from '../inbox/look-alikes.ts'
import { getAddress } from '../names/checksum.ts'
import { WalletName } from '../names/WalletName.tsx'
import { useMe } from '../service/session.ts'
import { isEvmAddress } from '../ui/address.ts'
import { AddressBlocks } from '../ui/AddressBlocks.tsx'
import { Seal } from '../ui/Seal.tsx'
import { useTrust } from './trust.ts'

interface Other {
  address: string
  why: 'digits' | 'name'
  /** What the reader knows it by, where that is known already. */
  title?: string
}

/** The wallets for which this one could be taken, each with what differs. */
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
          : 'whom you call by the name that this one has taken'}
        . What differs is marked:
      </p>
      <div className="flex items-center gap-3">
        <span className="size-9 shrink-0">
          <Seal seed={other} />
        </span>
        <AddressBlocks address={isEvmAddress(other) ? getAddress(other) : other} unlike={address} />
      </div>
    </div>
  ))
}

/** Those of the inbox are known at once, the others when the service has answered. */
function useOthers(address: string): Other[] {
  const near = useLookAlike(address)
  const found: Other[] = useTrust(address)?.looks_like ?? []
  if (!near) return found
  return [{ ...near, why: 'digits' }, ...found.filter((one) => one.address !== near.address)]
}
