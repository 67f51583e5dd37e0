import { TriangleAlert } from 'lucide-react'
import { useLookAlike } from '../inbox/look-alikes.ts'
import { WalletMark } from '../names/WalletMark.tsx'
import { ChatTeamMark } from './ChatTeamMark.tsx'
import { useName } from '../names/profile.ts'

/** Shows beside the name of a sender that it is on a team, a bot, or that it resembles somebody it is not. */
export function SenderMark({ address }: { address: string }) {
  const { ownName } = useName(address)
  const other = useLookAlike(address, ownName)
  return (
    <>
      <WalletMark address={address} name={ownName} />
      <ChatTeamMark address={address} />
      {other && (
        <span className="font-semibold text-danger">
          <TriangleAlert className="mx-0.5 mb-0.5 inline size-3.5" aria-hidden="true" />
          Not {other.title}
        </span>
      )}
    </>
  )
}
