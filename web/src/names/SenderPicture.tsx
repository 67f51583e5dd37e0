import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { useClaim } from './imported-claims.ts'
import { ProfileButton } from './ProfileButton.tsx'
import { useName, usePicture } from './profile.ts'

/** Shows the picture of a group message's sender, and of an imported one that of their wallet here. It opens the sender's card. */
export function SenderPicture({ address }: { address: string }) {
  const { name } = useName(address)
  const seed = useClaim(address)?.walletaddr ?? address
  const picture = usePicture(seed)
  return (
    <ProfileButton address={address} name={name || shortAddress(address)}>
      <Avatar seed={seed} picture={picture} size="small" />
    </ProfileButton>
  )
}
