// Whether the wallet gets the announcements of a chat.

import { cache, client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { showNotice } from '../state/notice.ts'

/** Agrees to the announcements of a chat, or ends that. The other choices about the chat stay as they are. */
export async function setAnnouncements(nftaddr: string, announcements: boolean): Promise<void> {
  const read = query('getChatNotifications', { nftaddr })
  try {
    const { tell } = await cache.fetchQuery({ ...read, staleTime: 0 })
    const stored = await client.setChatNotifications({ nftaddr, body: { tell, announcements } })
    cache.setQueryData(read.queryKey, stored)
    void cache.invalidateQueries({ queryKey: ['listAnnouncingChats'] })
    showNotice(
      announcements
        ? 'You’ll get announcements: by push, Telegram and mail, as you have set them up.'
        : 'You’ll get no announcements from this chat.',
    )
  } catch (error) {
    showNotice(describeError(error))
  }
}
