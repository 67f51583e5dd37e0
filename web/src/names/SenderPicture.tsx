import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { ProfileButton } from './ProfileButton.tsx'
import { useProfile } from './profile.ts'

/** Shows the picture of a group message's sender. It opens the card of the wallet. */
export function SenderPicture({ address }: { address: string }) {
  const { name, picture } = useProfile(address)
  return (
    <ProfileButton address={address} name={name || shortAddress(address)}>
      <Avatar seed={address} picture={picture} size="small" />
    </ProfileButton>
  )
}
