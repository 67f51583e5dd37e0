import { shortAddress } from '../ui/address.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Logo } from '../ui/Logo.tsx'
import { invitationTo } from './invitation.ts'

/** Who is at the door: Parley, or whoever sent the link. The page has the same before any script runs. */
export function Welcome({ pathname }: { pathname: string }) {
  const invitation = invitationTo(pathname)
  const heading = 'text-2xl font-semibold tracking-tight text-balance wrap-anywhere'
  if (!invitation)
    return (
      <>
        <Logo className="size-24 p-4" />
        <h1 className={heading}>Welcome to Parley</h1>
      </>
    )
  if (invitation.kind === 'community')
    return (
      <>
        <Avatar seed={invitation.name} size="huge" square />
        <h1 className={heading} dir="auto">
          You are invited to the community {invitation.name}
        </h1>
      </>
    )
  const { address, name } = invitation
  return (
    <>
      <Avatar seed={address} size="huge" />
      <h1 className={heading} dir="auto">
        {name || shortAddress(address)} invites you to write
      </h1>
      {name && <p className="font-address text-sm text-muted">{shortAddress(address)}</p>}
    </>
  )
}
