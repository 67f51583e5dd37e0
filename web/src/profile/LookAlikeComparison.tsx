import { useLookAlike } from '../inbox/look-alikes.ts'
import { getAddress } from '../names/checksum.ts'
import { AddressBlocks } from '../ui/AddressBlocks.tsx'
import { Seal } from '../ui/Seal.tsx'

/** The wallet that this one could be taken for, with what differs. */
export function LookAlikeComparison({ address }: { address: string }) {
  const other = useLookAlike(address)
  if (!other) return null
  return (
    <div role="note" className="grid gap-3 rounded-xl bg-danger-soft p-3.5 text-sm text-danger">
      <p className="text-pretty">
        <strong>Not {other.title}</strong>, whose address begins and ends with the same digits. What differs
        is marked:
      </p>
      <div className="flex items-center gap-3">
        <span className="size-9 shrink-0">
          <Seal seed={other.address} />
        </span>
        <AddressBlocks address={getAddress(other.address)} unlike={address} />
      </div>
    </div>
  )
}
