import type { GroupChatItem } from '@parley/sdk'
import { ApiError } from '@parley/sdk'
import { useMutation } from '@tanstack/react-query'
import { MarkedText } from '../messages/MarkedText.tsx'
import { WalletRow } from '../names/WalletRow.tsx'
import { cache, client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { showNotice } from '../state/notice.ts'
import { relativeTime } from '../state/time.ts'
import { mostHeld, useHeld } from './held.ts'

/** Lists the posts that wait: each is approved or rejected. */
export function HeldCard({ nftaddr }: { nftaddr: string }) {
  const { data, error, refetch } = useHeld(nftaddr)
  if (error && !data) return <ReadProblem error={error} what="The posts" onRetry={() => void refetch()} />
  // Most chats have no words that make a post wait.
  if (!data || data.length === 0) return null
  return (
    <Card title={`Waiting for approval: ${data.length === mostHeld ? `${mostHeld} or more` : data.length}`}>
      <ul className="grid grid-cols-1 gap-3" aria-label="Waiting for approval">
        {data.map((post) => (
          <HeldPost key={post.id} nftaddr={nftaddr} post={post} />
        ))}
      </ul>
    </Card>
  )
}

function HeldPost({ nftaddr, post }: { nftaddr: string; post: GroupChatItem }) {
  const { id, fromaddr, message, timestamp } = post
  const decide = useMutation({
    mutationFn: (approve: boolean) => client.decideHeldPost({ nftaddr, id, body: { approve } }),
    onSuccess: (_answer, approve) => showNotice(approve ? 'Approved: everyone can see it' : 'Rejected'),
    onError: (error) =>
      showNotice(
        error instanceof ApiError && error.code === 'not_found'
          ? 'Already handled by another moderator, or removed by its author.'
          : describeError(error),
      ),
    onSettled: () => {
      void cache.invalidateQueries({ queryKey: ['listChatLog', nftaddr] })
      return cache.invalidateQueries({ queryKey: ['listHeldPosts'] })
    },
  })
  return (
    <li className="grid grid-cols-1 gap-2 rounded-xl border border-line p-3">
      <ul>
        <WalletRow address={fromaddr} hint={relativeTime(timestamp)} />
      </ul>
      <p className="max-h-60 overflow-y-auto text-pretty wrap-anywhere whitespace-pre-wrap" dir="auto">
        <MarkedText text={message} all />
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          aria-label={`Approve: ${message.slice(0, 40)}`}
          busy={decide.isPending}
          onClick={() => decide.mutate(true)}
        >
          Approve
        </Button>
        <Button
          variant="danger"
          aria-label={`Reject: ${message.slice(0, 40)}`}
          busy={decide.isPending}
          onClick={() => decide.mutate(false)}
        >
          Reject
        </Button>
      </div>
    </li>
  )
}
