import { EnsName } from '../inbox/EnsName.tsx'
import { useChainName } from '../names/chain-names.ts'
import { Fact } from './Fact.tsx'

/** Shows the name of a wallet in ENS among what is known about it; nothing without one. */
export const EnsFact = ({ address }: { address: string }) =>
  useChainName(address) && (
    <Fact name="ENS">
      <EnsName address={address} isWhole />
    </Fact>
  )
