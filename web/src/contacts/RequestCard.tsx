import { CircleAlert, TriangleAlert } from 'lucide-react'
import { withChecksum } from '../first-run/link.ts'
import { useName } from '../names/profile.ts'
import { useRequests, useVisitRequests } from '../inbox/requests.ts'
import { EnsFact } from '../profile/EnsFact.tsx'
import { Fact } from '../profile/Fact.tsx'
import { LookAlikeComparison } from '../profile/LookAlikeComparison.tsx'
import { TrustFacts } from '../profile/TrustFacts.tsx'
import { AddressBlocks } from '../seal/AddressBlocks.tsx'
import { useSmallScreen } from '../state/small-screen.ts'
import { useTeamAlarm } from './team-alarm.ts'
import { alarmsOf } from './warnings.ts'
import { hints } from './hints.ts'

interface Props {
  peer: string
  title: string
  /** The wallet has written these texts. */
  texts: string[]
  /** It has sent files with these names. */
  files: string[]
  standing: 'request' | 'ignored'
}

/** Shows what is known about somebody who writes for the first time, above what they write. */
export function RequestCard({ peer, title, texts, files, standing }: Props) {
  const { ownName } = useName(peer)
  const notOfTeam = useTeamAlarm(peer, { title, ownName, texts, files })
  const isSmall = useSmallScreen()
  useVisitRequests(useRequests().data)
  const whole = (
    <Fact name="Address">
      <AddressBlocks address={withChecksum(peer)} />
    </Fact>
  )
  return (
    <section
      aria-label={`About ${title}`}
      // Focusable, so that the keyboard can scroll it.
      tabIndex={0}
      className="scroll-calm max-h-[45%] shrink-0 overflow-y-auto border-b border-line bg-surface px-3 py-3 [@media(max-height:30rem)]:max-h-[32%] -outline-offset-2 sm:px-4"
    >
      <div className="mx-auto grid max-w-3xl gap-3">
        {/* On a small screen the facts that one compares come first. */}
        {isSmall && <dl className="text-sm">{whole}</dl>}
        <LookAlikeComparison address={peer} />
        {notOfTeam && (
          <p
            role="alert"
            className="flex gap-2 rounded-xl bg-danger-soft p-3 text-sm font-medium text-pretty wrap-anywhere text-danger"
          >
            <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" /> {notOfTeam}
          </p>
        )}
        {alarmsOf(texts).map((alarm) => (
          <p key={alarm} className="flex gap-2 text-sm text-pretty wrap-anywhere text-warn">
            <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" /> {alarm}
          </p>
        ))}
        <dl className="grid gap-2 text-sm">
          {!isSmall && whole}
          <EnsFact address={peer} />
          <TrustFacts address={peer} />
          {!ownName && <Fact name="Name">No name</Fact>}
        </dl>
        {isSmall && <p className="text-sm text-pretty wrap-anywhere text-muted">{hints[standing](title)}</p>}
      </div>
    </section>
  )
}
