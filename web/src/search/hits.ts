// A hit of the index, as the message is now.

import { ApiError, type ChatItem } from '@parley/sdk'
import type { FileItem } from '@parley/sdk/contract/files.ts'
import type { SearchHit } from '@parley/sdk/contract/search.ts'
import type { SearchQuery } from '@parley/sdk/search/query.ts'
import { maybeTemporary } from '@parley/sdk/retry.ts'
import { type Content, type KeyPair, schemeOf } from '../keys/crypto/scheme.ts'
import { type FoundHere, matchIn } from './find.ts'
import { openHere, presentMessage } from './service-source.ts'
import type { Walk } from './walk.ts'

interface Here {
  me: string
  pairs: KeyPair[]
  query: SearchQuery
  walk: Walk
}

type Hit = SearchHit & { isSealed: true }

/**
 * Returns what is shown of a hit; undefined when the message is gone or no longer fits. Where the service cannot be reached it is
 * shown as it was read last.
 */
export async function hitOf(found: FoundHere, { me, pairs, query, walk }: Here): Promise<Hit | undefined> {
  const { peer, id } = found.facts
  let item: ChatItem | undefined
  try {
    item = await presentMessage(me, peer, id)
  } catch (error) {
    const isUnreached = !(error instanceof ApiError) || maybeTemporary(error)
    return isUnreached ? storedHit(found, me) : undefined
  }
  if (!item || schemeOf(item) !== 'own') {
    walk.note({ gone: id })
    return undefined
  }
  const content = await openHere(item, pairs).catch(() => undefined)
  if (content?.text !== found.text) walk.note({ edited: item })
  if (!content) return undefined
  const marks = matchIn(query, { text: content.text, names: content.files.map(({ name }) => name) })
  return marks && { item: opened(item, content), marks, isSealed: true }
}

/** Returns a message with its text and the names of its files in place of what the service sees. */
function opened(item: ChatItem, { text, files }: Content): ChatItem {
  const { encrypted_sym_x_key: _key, x_access_conditions: _conditions, files: sealed, ...rest } = item
  const named = sealed?.map((file) => withName(file, files))
  return { ...rest, message: text, ...(named && { files: named }) }
}

/** The service sees neither the name nor the type of an encrypted file. */
function withName(file: FileItem, files: Content['files']): FileItem {
  const { name, type } = files.find(({ id }) => id === file.id) ?? {}
  return { ...file, ...(name !== undefined && { name }), ...(type !== undefined && { type }) }
}

function storedHit({ facts, text, nftid, marks }: FoundHere, me: string): Hit {
  const { id, peer, isMine, nft, time } = facts
  const timestamp = new Date(time).toISOString()
  const [fromaddr, toaddr] = isMine ? [me, peer] : [peer, me]
  const item: ChatItem = {
    id,
    fromaddr,
    toaddr,
    message: text,
    read: true,
    sender_name: '',
    timestamp,
    timestamp_dtm: timestamp,
    ...(nft && { nftaddr: nft, ...(nftid && { nftid }) }),
  }
  return { item, marks, isSealed: true }
}
