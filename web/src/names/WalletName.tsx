import { shortAddress } from '../ui/address.ts'
import { useProfile } from './profile.ts'

/** What a wallet is called. */
export function WalletName({ address }: { address: string }) {
  const { name } = useProfile(address)
  return <span>{name || shortAddress(address)}</span>
}
