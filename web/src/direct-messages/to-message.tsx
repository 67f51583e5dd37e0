import type { ChatItem } from '@parley/sdk'
import type { Readable } from '../keys/state/readable.ts'
import { NftChip } from '../nfts/NftChip.tsx'
import { pathAbout } from '../nfts/path.ts'
import type { Nft } from '../thread/history.ts'
import type { StoredMessage } from '../thread/merged.ts'
import { shortTime } from '../state/time.ts'

/** Names the NFT that a message is about unless the page is about that NFT. */
export function toMessage(
  { id, fromaddr, toaddr, timestamp, read, nftaddr, nftid, reactions, reply_to, revision, pinned }: ChatItem,
  { text, lock, repeated, writtenAt }: Readable,
  { me, title, nft, linksOff }: { me: string; title: string; nft: Nft | undefined; linksOff: boolean },
): StoredMessage {
  return {
    id,
    mine: fromaddr === me,
    fromaddr,
    author: title,
    text,
    lock,
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
