import { ApiError, type Comment, createClientOf } from '@parley/sdk'
import { comments } from '@parley/sdk/slices'
import { useMemo } from 'react'
import { startOutbox } from './outbox.ts'
import { canonicalNft, type Nft } from './places.ts'
import type { Run } from './shared.ts'
import { emptyThread, startThread, type ThreadState, withItems } from './thread.ts'
import { type Thread, useThread } from './use-thread.ts'

export type Comments = Thread<Comment>

/** The service sends no events about comments. New ones are read after this number of milliseconds while the page is visible. */
const every = 20_000
const pageSize = 100

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
  const { me: fromaddr, get, set, signal } = run
  const client = createClientOf(run.options, comments)
  const thread = startThread<Comment>(run, (query, call) => client.listComments({ ...nft, query }, call))
  const { keep, ...sending } = startOutbox<Comment>(run, {
    post: (message, call) => client.createComment({ body: { fromaddr, message, ...nft } }, call),
    change: thread.change,
  })
  const readNew = async () => {
    const { status, items } = get()
    if (document.visibilityState !== 'visible' || status !== 'ready') return
    try {
      const after = items.at(-1)?.id
      const query = { limit: pageSize, ...(after ? { after } : { before: Number.MAX_SAFE_INTEGER }) }
      const added = await thread.list(query, { signal })
      if (added.length > 0) thread.change(withItems(added))
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) return
      // Where the service refuses it, it refuses the next one too.
      clearInterval(timer)
      set({ error: run.fail(error) })
    }
  }
  const timer = setInterval(() => void readNew(), every)
  signal.addEventListener('abort', () => clearInterval(timer))
  return { load: thread.load, keep, actions: { ...sending, loadOlder: thread.loadOlder } }
}
