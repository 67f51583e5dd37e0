import { CircleAlert } from 'lucide-react'
import { withChecksum } from '../door/link.ts'
import { useProfile } from '../names/profile.ts'
import { Fact } from '../profile/Fact.tsx'
import { LookAlikeComparison } from '../profile/LookAlikeComparison.tsx'
import { TrustFacts } from '../profile/TrustFacts.tsx'
import { AddressBlocks } from '../ui/AddressBlocks.tsx'
import { useSmallScreen } from '../ui/small.ts'
import { alarmsOf } from './alarms.ts'
import { hints } from './hints.ts'

interface Props {
  peer: string
  title: string
  /** What it has written. */
  texts: string[]
  standing: 'request' | 'ignored'
}

/** What is known of somebody who writes for the first time, above what they write. */
export function RequestCard({ peer, title, texts, standing }: Props) {
  const { ownName } = useProfile(peer)
  const isSmall = useSmallScreen()
  const whole = (
    <Fact name="Address">
      <AddressBlocks address={withChecksum(peer)} />
    </Fact>
  )
  return (
    <section
      aria-label={`What is known of ${title}`}
      // Focusable, so that the keyboard can scroll it.
      tabIndex={0}
      className="scroll-calm max-h-[45%] shrink-0 overflow-y-auto border-b border-line bg-surface px-3 py-3 [@media(max-height:30rem)]:max-h-[32%] -outline-offset-2 sm:px-4"
    >
      <div className="mx-auto grid max-w-3xl gap-3">
        {/* What one compares stands first where little can be seen at once. */}
        {isSmall && <dl className="text-sm">{whole}</dl>}
        <LookAlikeComparison address={peer} />
        {alarmsOf(texts).map((alarm) => (
          <p key={alarm} className="flex gap-2 text-sm text-pretty wrap-anywhere text-warn">
            <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" /> {alarm}
          </p>
        ))}
        <dl className="grid gap-2 text-sm">
          {!isSmall && whole}
          <TrustFacts address={peer} />
          {!ownName && <Fact name="Name">It has chosen none here.</Fact>}
        </dl>
        {isSmall && <p className="text-sm text-pretty wrap-anywhere text-muted">{hints[standing](title)}</p>}
      </div>
    </section>
  )
}
