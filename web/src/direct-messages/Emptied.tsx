import { useQuery } from '@tanstack/react-query'
import { query } from '../service/api.ts'
import { shortTime } from '../ui/time.ts'

interface Props {
  me: string
  peer: string
  /** The name of the peer. */
  title: string
}

/** Says who deleted the messages of a conversation for both, and when. Nothing where nobody did. */
export function Emptied({ me, peer, title }: Props) {
  const { data } = useQuery(query('getConversation', { toaddr: peer }))
  if (!data?.emptied_by || !data.emptied_at || peer === me) return null
  const mine = data.emptied_by === me
  return (
    <p className="mx-auto max-w-sm px-4 pt-4 text-center text-xs text-pretty text-muted">
      {mine ? 'You' : title} deleted all earlier messages for both of you,{' '}
      <time dateTime={data.emptied_at}>{shortTime(data.emptied_at)}</time>.
    </p>
  )
}
