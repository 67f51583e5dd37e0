import { Button } from '../ui/Button.tsx'
import { useStanding } from './standing.ts'

/** Stands in place of the field where you may read and not post. */
export function PostNote({ nftaddr }: { nftaddr: string }) {
  const { data, isFetching, refetch } = useStanding(nftaddr)
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-3 text-sm">
      <p className="min-w-0 flex-1 text-pretty wrap-anywhere text-muted">
        You can read and react here. To post you need {data?.post.words}.
      </p>
      <Button busy={isFetching} onClick={() => void refetch()}>
        Check again
      </Button>
    </div>
  )
}
