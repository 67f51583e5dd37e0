import { useQuery } from '@tanstack/react-query'
import { AtSign, BellRing, Megaphone, MegaphoneOff } from 'lucide-react'
import { cache, client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { MenuItem } from '../ui/Menu.tsx'
import { showNotice } from '../state/notice.ts'
import { setAnnouncements } from './agreeing.ts'

/** Chooses whether each message of a chat notifies, or only those that mention the wallet; and whether announcements do. */
export function NotifyItem({ nftaddr }: { nftaddr: string }) {
  const read = query('getChatNotifications', { nftaddr })
  const { data } = useQuery(read)
  const agreed = data?.announcements === true
  const tell = data?.tell === 'all' ? 'mentions' : 'all'
  const change = async () => {
    try {
      const stored = await client.setChatNotifications({ nftaddr, body: { tell } })
      cache.setQueryData(read.queryKey, stored)
      showNotice(
        tell === 'all' ? 'You’ll be notified about every message.' : 'You’ll be notified about mentions.',
      )
    } catch (error) {
      showNotice(describeError(error))
    }
  }
  return (
    <>
      <MenuItem icon={tell === 'all' ? <BellRing /> : <AtSign />} onSelect={() => void change()}>
        {tell === 'all' ? 'Notify me about every message' : 'Notify me about mentions only'}
      </MenuItem>
      <MenuItem
        icon={agreed ? <MegaphoneOff /> : <Megaphone />}
        onSelect={() => void setAnnouncements(nftaddr, !agreed)}
      >
        {agreed ? 'Stop announcements' : 'Get announcements'}
      </MenuItem>
    </>
  )
}
