import { shortAddress } from '../ui/address.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { ProfileButton } from './ProfileButton.tsx'
import { useProfile } from './profile.ts'

/** The picture of the sender of a group message. It shows the card of the wallet. */
export function SenderPicture({ address }: { address: string }) {
  const { name, picture } = useProfile(address)
  return (
    <ProfileButton address={address} name={name || shortAddress(address)}>
      <Avatar seed={address} picture={picture} size="small" />
    </ProfileButton>
  )
}
