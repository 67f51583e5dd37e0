import { useQuery } from '@tanstack/react-query'
import { WalletName } from '../names/WalletName.tsx'
import { query } from '../service/api.ts'

interface Props {
  peer: string
  /** What the reader knows it by. */
  title: string
}

/**
 * What becomes of a message to a wallet that has not written yet. It follows from what the wallet has chosen for
 * all others, which everybody may read: it says nothing of what the wallet thinks of the reader.
 */
export function PolicyNote({ peer, title }: Props) {
  const { data } = useQuery({ ...query('getDmPolicy', { address: peer }), refetchOnWindowFocus: false })
  if (!data || data.who === 'everyone') return null
  return (
    <p className="px-4 pt-1 text-xs text-pretty wrap-anywhere text-muted">
      {data.who === 'requests' && (
        <>
          To {title} the messages of a wallet that it does not know are a request: you can send five until it
          accepts or answers.
        </>
      )}
      {data.who === 'contacts' && (
        <>{title} takes messages only of wallets that it has accepted, or has written to.</>
      )}
      {data.who === 'holders' && (
        <>
          {title} takes messages only of wallets that it has accepted, and of those that hold a token of{' '}
          {data.token ? <WalletName address={data.token.contract} /> : 'a contract'}.
        </>
      )}
    </p>
  )
}
