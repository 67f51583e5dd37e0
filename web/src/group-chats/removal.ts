import { readInboxAgain } from '../inbox/cache.ts'
import { client, describeError } from '../service/api.ts'
import { emptyPost } from '../thread/posts.ts'
import { showNotice, showUndo } from '../ui/notice.ts'

/** Removes a post for everybody, unless it is taken back within some seconds. */
export function removePost(nftaddr: string, id: number, mine: boolean): void {
  const act = async () => {
    try {
      await client.removePost({ nftaddr, id })
      emptyPost(id, mine ? 'author' : 'moderator')
      readInboxAgain()
    } catch (error) {
      showNotice(`The message could not be removed. ${describeError(error)}`)
    }
  }
  showUndo(
    'The message is removed for everybody.',
    () => void act(),
    () => {},
  )
}
