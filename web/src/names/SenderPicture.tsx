import { Avatar } from '../ui/Avatar.tsx'
import { useProfile } from './profile.ts'

/** The picture of the sender of a group message. */
export function SenderPicture({ address }: { address: string }) {
  const { picture } = useProfile(address)
  return <Avatar seed={address} picture={picture} size="small" />
}
