import { useQuery } from '@tanstack/react-query'
import { AtSign, BellRing } from 'lucide-react'
import { cache, client, describeError, query } from '../service/api.ts'
import { MenuItem } from '../ui/Menu.tsx'
import { showNotice } from '../ui/notice.ts'

/** Chooses whether each message of a chat notifies, or only those that mention the wallet. */
export function NotifyItem({ nftaddr }: { nftaddr: string }) {
  const read = query('getChatNotifications', { nftaddr })
  const { data } = useQuery(read)
  const tell = data?.tell === 'all' ? 'mentions' : 'all'
  const change = async () => {
    try {
      const stored = await client.setChatNotifications({ nftaddr, body: { tell } })
      cache.setQueryData(read.queryKey, stored)
      showNotice(tell === 'all' ? 'Each message notifies you.' : 'Messages that mention you notify you.')
    } catch (error) {
      showNotice(describeError(error))
    }
  }
  return (
    <MenuItem icon={tell === 'all' ? <BellRing /> : <AtSign />} onSelect={() => void change()}>
      {tell === 'all' ? 'Notify of all messages' : 'Notify of mentions only'}
    </MenuItem>
  )
}
