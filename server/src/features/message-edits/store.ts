import type { ChatItem } from '@parley/sdk/contract/direct-messages.ts'
import type { GroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import type { MessageEdit, MessageVersion } from '@parley/sdk/contract/message-edits.ts'
import type { Db } from '../../db/pool.ts'
import { chatItemFor } from '../../messages/direct-message.ts'
import { eventJson } from '../../messages/events.ts'
import { groupChatItemIn, groupChatItemSeenBy, isHeld } from '../../messages/group-message.ts'
import { postMarks } from '../../messages/marks.ts'
import { versionsOfMessage, versionsOfPost } from '../../messages/versions.ts'
import type { MessagePlace } from '../../messages/message-place.ts'
import { timestampsOf } from '../../messages/columns.ts'
import { bucketOfId } from '../../values/bucket.ts'

interface Edit extends MessageEdit {
  id: number
  wallet: string
  isUnseen: boolean
  dmDefault: string
  /** This is what the chain says of the wallet, where the recipient accepts messages from holders. */
  holder?: string
}

/** Says why an edit is refused, in the words of edit_direct_message_v1, and the policy of the recipient. */
interface Outcome {
  refused: string | null
  policy?: string | null
}

/** Edits a message. */
export async function edit(
  db: Db,
  place: MessagePlace,
  { id, wallet, isUnseen, message, revision, writing = false, dmDefault, holder, ...sealed }: Edit,
): Promise<Outcome> {
  // The reader of the log adds the message.
  const event = eventJson({ type: 'edited', id, fromaddr: wallet, ...(writing && { writing }) })
  const isDirect = place.kind === 'conversation'
  const statement = isDirect
    ? db.query<Outcome>(
        'select * from edit_direct_message_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)',
        [
          db.now(),
          bucketOfId(id),
          place.conversation,
          id,
          wallet,
          revision,
          message,
          sealed.encrypted_sym_x_key,
          sealed.x_access_conditions,
          isUnseen,
          writing,
          event,
          dmDefault,
          holder,
        ],
      )
    : db.query<Outcome>('select edit_post_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as refused', [
        db.now(),
        bucketOfId(id),
        place.chat,
        id,
        wallet,
        revision,
        message,
        isUnseen,
        writing,
        event,
      ])
  const [row] = await (isDirect ? db.layout.copies.changing(db, [wallet, place.peer], statement) : statement)
  return row!
}

const ofConversation = `
  select (${chatItemFor('$3', '$1')})::json as item from direct_messages m where m.bucket = $1 and m.id = $2`

const ofChat = `
  select (${groupChatItemSeenBy('$3', 'c', postMarks('$3', '$1'))})::json as item
  from group_messages m join group_chats c on c.bucket = $1 and c.chat = m.chat
  where m.bucket = $1 and m.chat = $4 and m.id = $2
  union all
  select (${groupChatItemIn('c', isHeld, postMarks('$3', '$1'))})::json
  from (select *, null::text as reacted from withheld_posts) m join group_chats c on c.bucket = $1 and c.chat = m.chat
  where m.bucket = $1 and m.chat = $4 and m.fromaddr = $3 and m.id = $2`

/** Returns a message as a wallet sees it; undefined when it was deleted at the same moment. */
export async function findMessage(
  db: Db,
  place: MessagePlace,
  wallet: string,
  id: number,
): Promise<ChatItem | GroupChatItem | undefined> {
  const values = [bucketOfId(id), id, wallet]
  const [row] = await (place.kind === 'conversation'
    ? db.query<{ item: ChatItem }>(ofConversation, values)
    : db.query<{ item: GroupChatItem }>(ofChat, [...values, place.chat]))
  return row?.item
}

type Stored = Pick<MessageVersion, 'message' | 'encrypted_sym_x_key' | 'x_access_conditions'> & {
  rev: number
  ms: number
}

const editsOf = {
  conversation: `
    select ${versionsOfMessage('$3')} as versions from direct_messages m where m.bucket = $1 and m.id = $2`,
  chat: `
    select ${versionsOfPost('$3')} as versions from group_messages m where m.bucket = $1 and m.chat = $4 and m.id = $2
    union all
    select edits from withheld_posts where bucket = $1 and chat = $4 and fromaddr = $3 and id = $2`,
}

/** Makes a stored version into the shape of the contract. */
function versionOf({ rev, ms, message, encrypted_sym_x_key, x_access_conditions }: Stored): MessageVersion {
  return {
    revision: rev,
    message,
    ...(encrypted_sym_x_key !== undefined && { encrypted_sym_x_key }),
    ...(x_access_conditions !== undefined && { x_access_conditions }),
    timestamp: timestampsOf(ms).timestamp,
  }
}

/** Returns what stood in a message before, as a wallet sees it. */
export async function listEdits(
  db: Db,
  place: MessagePlace,
  wallet: string,
  id: number,
): Promise<MessageVersion[]> {
  const values = [bucketOfId(id), id, wallet]
  const [row] = await db.query<{ versions: Stored[] | null }>(
    editsOf[place.kind],
    place.kind === 'chat' ? [...values, place.chat] : values,
  )
  return (row?.versions ?? []).map(versionOf)
}
