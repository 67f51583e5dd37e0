import type { ChatItem } from '@parley/sdk'
import type { Readable } from '../keys/readable.ts'
import { NftChip } from '../nfts/NftChip.tsx'
import { pathAbout } from '../nfts/path.ts'
import type { Nft } from '../thread/history.ts'
import type { StoredMessage } from '../thread/Thread.tsx'
import { shortTime } from '../ui/time.ts'

/** The NFT a message is about is named unless the page is about that NFT. */
export function toMessage(
  { id, fromaddr, toaddr, timestamp, read, nftaddr, nftid }: ChatItem,
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
    remark: repeated
      ? 'Sent before: a copy of an earlier message.'
      : writtenAt && `Written ${shortTime(writtenAt)}.`,
    timestamp,
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
