import { EnsName } from '../inbox/EnsName.tsx'
import { BotSign } from '../names/BotMark.tsx'
import { showProfile } from '../names/shown-profile.ts'
import { useProfile } from '../names/profile.ts'
import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import type { ListedMember } from './members.ts'

interface Props {
  member: ListedMember
  isMe: boolean
}

/** Shows a member of a chat, with a link to the profile. */
export const MemberRow = ({ member, isMe }: Props) =>
  // The service sends the name and the picture of a member along with it.
  member.logo === undefined ? (
    <Unread member={member} isMe={isMe} />
  ) : (
    <Row {...member} logo={member.logo} isMe={isMe} />
  )

function Unread({ member, isMe }: Props) {
  const { name, picture } = useProfile(member.walletaddr)
  return <Row {...member} name={name} logo={picture} isMe={isMe} />
}

interface RowProps extends Omit<ListedMember, 'logo'> {
  logo: string | undefined
  isMe: boolean
}

const Row = ({ walletaddr, name, logo, is_bot: isBot, role, isMe }: RowProps) => (
  <li className="min-w-0">
    <button
      type="button"
      onClick={() => showProfile(walletaddr)}
      className="flex min-h-12 w-full items-center gap-3 rounded-xl px-2 py-1.5 text-start -outline-offset-2 hover:bg-hover"
    >
      <Avatar seed={walletaddr} picture={logo} />
      <span className="grid min-w-0 leading-tight">
        <span className="flex items-center gap-1.5">
          <span className="truncate font-medium" dir="auto">
            {name || shortAddress(walletaddr)}
            {isMe && <span className="font-normal text-muted"> (you)</span>}
          </span>
          {isBot && <BotSign />}
        </span>
        <span className="flex items-baseline gap-1.5 text-xs text-muted empty:hidden">
          {role && <span>{role === 'owner' ? 'Owner' : 'Moderator'}</span>}
          {name && <span className="font-address min-w-0 truncate">{shortAddress(walletaddr)}</span>}
          {!isMe && <EnsName address={walletaddr} />}
        </span>
      </span>
    </button>
  </li>
)
