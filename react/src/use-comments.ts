import { type Comment, createClientOf } from '@parley/sdk'
import { comments } from '@parley/sdk/slices'
import { useMemo } from 'react'
import { readNewer } from './newer.ts'
import { startOutbox } from './outbox.ts'
import { canonicalNft, type Nft } from './places.ts'
import type { Run } from './shared.ts'
import { emptyThread, startThread, type ThreadState } from './thread.ts'
import { type Thread, useThread } from './use-thread.ts'

export type Comments = Thread<Comment>

const first = emptyThread<Comment>()

/**
 * The public comments on an NFT, which may not be known yet.
 * @example
 * const { messages, send } = useComments({ nftaddr, nftid: '721' })
 */
export function useComments(nft: Nft | undefined): Comments {
  const { nftaddr, nftid } = nft ? canonicalNft(nft) : {}
  const resource = useMemo(() => {
    if (nftaddr === undefined || nftid === undefined) return undefined
    const key = JSON.stringify(['comments', nftaddr, nftid])
    return { key, first, start: (run: Run<ThreadState<Comment>>) => start(run, { nftaddr, nftid }) }
  }, [nftaddr, nftid])
  return useThread(resource, first).thread
}

function start(run: Run<ThreadState<Comment>>, nft: Nft) {
  const { me: fromaddr } = run
  const client = createClientOf(run.options, comments)
  const thread = startThread<Comment>(run, (query, call) => client.listComments({ ...nft, query }, call))
  const { keep, ...sending } = startOutbox<Comment>(run, {
    post: (message, call) => client.createComment({ body: { fromaddr, message, ...nft } }, call),
    change: thread.change,
  })
  // The service sends no events about comments.
  readNewer(run, thread)
  return { load: thread.load, keep, actions: { ...sending, loadOlder: thread.loadOlder } }
}
