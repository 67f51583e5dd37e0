import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { Logo } from '../ui/Logo.tsx'

/** Shows Parley, or the sender of the link, to a visitor. The page has the same before any script runs. */
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
          You’re invited to {invitation.name}
        </h1>
      </>
    )
  const { address, name } = invitation
  return (
    <>
      <Avatar seed={address} size="huge" />
      <h1 className={heading} dir="auto">
        Message {name || shortAddress(address)} on {location.host}
      </h1>
      {name && <p className="font-address text-sm text-muted">{shortAddress(address)}</p>}
    </>
  )
}

/** The link with which this page was opened leads to one of these. */
export type Invitation =
  | { kind: 'wallet'; address: string; name: string }
  | { kind: 'community'; name: string }

const content = document.querySelector<HTMLMetaElement>('meta[name=invitation]')?.content
const openedAt = location.pathname

/** Returns what the service has written into the page about the link, while that page is shown. */
const invitationTo = (pathname: string): Invitation | undefined =>
  content && pathname === openedAt ? (JSON.parse(content) as Invitation) : undefined
