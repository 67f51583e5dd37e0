import type { ChatItem } from '@parley/sdk'
import type { ReadReactions } from '../keys/state/read-reactions.ts'
import type { Readable } from '../keys/state/readable.ts'
import { NftChip } from '../nfts/NftChip.tsx'
import { pathAbout } from '../nfts/path.ts'
import type { Nft } from '../thread/history.ts'
import { plainFiles, sealedFiles } from '../files/of-messages.ts'
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
  /** They are as this device has stored them, and the service may have others. */
  isStored: boolean
}

/** This is seen by comparing and opening. */
interface Seen {
  quoteCheck: Message['quoteCheck']
  reacted: ReadReactions
}

/** Names the NFT that a message is about unless the page is about that NFT. */
export function toMessage(
  item: ChatItem,
  { text, content, lock, isVouched, repeated, isOutdated, writtenAt }: Readable,
  { me, title, nft, linksOff, isStored, quoteCheck, reacted }: Shown & Seen,
): StoredMessage {
  const { id, fromaddr, toaddr, timestamp, read, nftaddr, nftid, reply_to, revision, pinned } = item
  return {
    id,
    mine: fromaddr === me,
    fromaddr,
    author: title,
    text,
    ...filesOf(item, content),
    lock,
    ...(isVouched && { isVouched }),
    version: content && { cid: content.cid, rev: content.rev, re: content.re },
    remark:
      [
        // What this device has stored may be older than what it has opened.
        isOutdated && !isStored && 'The service shows an older version.',
        repeated && 'A copy of an earlier message.',
        !repeated && writtenAt && `Written ${shortTime(writtenAt)}.`,
      ]
        .filter(Boolean)
        .join(' ') || undefined,
    timestamp,
    ...reacted,
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

/** An encrypted message that is not opened shows no files. */
function filesOf(
  { encrypted_sym_x_key, x_access_conditions, files }: ChatItem,
  content: Readable['content'],
) {
  if (content) return sealedFiles(content, files)
  return encrypted_sym_x_key || x_access_conditions ? {} : plainFiles(files)
}

/** Returns what an encrypted reply to the message with this id quotes. */
export function quotedOf(stored: StoredMessage[], id: number | undefined): Pick<Entry, 'quoted'> {
  const message = stored.find((one) => one.id === id)
  if (!message) return {}
  const { fromaddr, text, version } = message
  return { quoted: { fromaddr, text, cid: version?.cid ?? '', rev: version?.rev ?? 0 } }
}
