import { shortAddress } from '../seal/address.ts'
import { useName } from './profile.ts'

export function WalletName({ address }: { address: string }) {
  const { name } = useName(address)
  return <span>{name || shortAddress(address)}</span>
}
