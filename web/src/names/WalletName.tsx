import { shortAddress } from '../ui/address.ts'
import { useProfile } from './profile.ts'

/** The name of a wallet, or its short address. */
export function WalletName({ address }: { address: string }) {
  const { name } = useProfile(address)
  return <span>{name || shortAddress(address)}</span>
}
