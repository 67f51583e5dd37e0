import type { ChatItem } from '@parley/sdk'
import type { Readable } from '../keys/state/readable.ts'
import { NftChip } from '../nfts/NftChip.tsx'
import { pathAbout } from '../nfts/path.ts'
import type { Nft } from '../thread/history.ts'
import type { Message } from '../messages/message.ts'
import type { Entry } from '../thread/entries.ts'
import type { StoredMessage } from '../thread/merged.ts'
import { shortTime } from '../state/time.ts'

/** A conversation shows its messages like this. */
export interface Shown {
  me: string
  title: string
  nft: Nft | undefined
  linksOff: boolean
}

/** Names the NFT that a message is about unless the page is about that NFT. */
export function toMessage(
  { id, fromaddr, toaddr, timestamp, read, nftaddr, nftid, reactions, reply_to, revision, pinned }: ChatItem,
  { text, content, lock, repeated, writtenAt }: Readable,
  { me, title, nft, linksOff, quoteCheck }: Shown & Pick<Message, 'quoteCheck'>,
): StoredMessage {
  return {
    id,
    mine: fromaddr === me,
    fromaddr,
    author: title,
    text,
    lock,
    version: content,
    remark:
      [
        repeated && 'A copy of an earlier message.',
        !repeated && writtenAt && `Written ${shortTime(writtenAt)}.`,
      ]
        .filter(Boolean)
        .join(' ') || undefined,
    timestamp,
    reactions,
    replyTo: reply_to,
    quoteCheck,
    revision,
    pinned,
    linksOff: linksOff && fromaddr !== me,
    state: read && toaddr !== me ? 'read' : 'sent',
    context:
      nftaddr && nftid && !nft ? (
        <NftChip
          nftaddr={nftaddr}
          nftid={nftid}
          to={pathAbout(fromaddr === me ? toaddr : fromaddr, { nftaddr, nftid })}
        />
      ) : undefined,
  }
}

/** Returns what an encrypted reply to the message with this id quotes. */
export function quotedOf(stored: StoredMessage[], id: number | undefined): Pick<Entry, 'quoted'> {
  const message = stored.find((one) => one.id === id)
  if (!message) return {}
  const { fromaddr, text, version } = message
  return { quoted: { fromaddr, text, cid: version?.cid ?? '', rev: version?.rev ?? 0 } }
}
