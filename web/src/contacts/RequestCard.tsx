import { CircleAlert } from 'lucide-react'
import { withChecksum } from '../door/link.ts'
import { useProfile } from '../names/profile.ts'
import { Fact } from '../profile/Fact.tsx'
import { LookAlikeComparison } from '../profile/LookAlikeComparison.tsx'
import { TrustFacts } from '../profile/TrustFacts.tsx'
import { AddressBlocks } from '../ui/AddressBlocks.tsx'
import { alarmsOf } from './alarms.ts'

interface Props {
  peer: string
  title: string
  /** What it has written. */
  texts: string[]
}

/** What is known of somebody who writes for the first time, above what they write. */
export function RequestCard({ peer, title, texts }: Props) {
  const { ownName } = useProfile(peer)
  return (
    <section
      aria-label={`What is known of ${title}`}
      // Focusable, so that the keyboard can scroll it.
      tabIndex={0}
      className="scroll-calm max-h-[45%] shrink-0 overflow-y-auto border-b border-line bg-surface px-3 py-3 -outline-offset-2 sm:px-4"
    >
      <div className="mx-auto grid max-w-3xl gap-3">
        <LookAlikeComparison address={peer} />
        {alarmsOf(texts).map((alarm) => (
          <p key={alarm} className="flex gap-2 text-sm text-pretty wrap-anywhere text-warn">
            <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" /> {alarm}
          </p>
        ))}
        <dl className="grid gap-2 text-sm">
          <Fact name="Address">
            <AddressBlocks address={withChecksum(peer)} />
          </Fact>
          <TrustFacts address={peer} />
          {!ownName && <Fact name="Name">It has chosen none here.</Fact>}
        </dl>
      </div>
    </section>
  )
}
