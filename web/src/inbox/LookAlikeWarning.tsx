import { TriangleAlert } from 'lucide-react'
import { showProfile } from '../names/shown-profile.ts'
import { useName } from '../names/profile.ts'
import { Banner } from '../ui/Banner.tsx'
import { Seal } from '../seal/Seal.tsx'
import { useLookAlike } from './look-alikes.ts'

/** Warns that a wallet resembles one that the reader knows, and shows the seals of both, which differ. */
export function LookAlikeWarning({ address }: { address: string }) {
  const other = useLookAlike(address, useName(address).ownName)
  if (!other) return null
  return (
    <Banner tone="danger" icon={<TriangleAlert className="size-4 shrink-0" aria-hidden="true" />}>
      <span className="flex flex-wrap items-center justify-between gap-x-4">
        <span>
          <strong>This is not {other.title}.</strong> Only the{' '}
          {other.why === 'name' ? 'names are alike.' : 'addresses begin and end alike.'}
        </span>
        <button
          type="button"
          className="flex min-h-11 items-center gap-2 font-semibold underline"
          onClick={() => showProfile(address)}
        >
          <span className="flex gap-1" aria-hidden="true">
            <span className="size-7">
              <Seal seed={address} />
            </span>
            <span className="size-7">
              <Seal seed={other.address} />
            </span>
          </span>
          Compare
        </button>
      </span>
    </Banner>
  )
}
