import { KeyRound } from 'lucide-react'
import { cache } from '../service/api.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { Button } from '../ui/Button.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { Conditions } from './Conditions.tsx'
import { useStanding } from './standing.ts'

/** Says what it takes to get into a chat, what you have, and what you lack. `otherwise` is another reason why it is closed. */
export function GateDoor({ nftaddr, otherwise }: { nftaddr: string; otherwise: string }) {
  const { data, error, isFetching, refetch } = useStanding(nftaddr)
  if (error && !data)
    return <ReadProblem error={error} what="What it takes to get in" onRetry={() => void refetch()} />
  if (!data) return <Spinner label="Checking what it takes to get in" />
  const { conditions, groups, open } = data.read
  // Who meets everything is kept out by something else, such as a ban.
  const isElse =
    open === false && [...conditions, ...groups].every(({ group, met }) => group !== undefined || met)
  const words = isElse ? '' : data.read.words
  const check = async () => {
    const { data: now } = await refetch()
    // Everything that was refused is read again.
    if (now?.read.open) await cache.invalidateQueries()
  }
  return (
    <div className="m-auto grid w-full max-w-md justify-items-center gap-4 p-6 text-center">
      <span className="grid size-14 place-items-center rounded-2xl bg-sunken text-muted" aria-hidden="true">
        <KeyRound className="size-7" />
      </span>
      <p className="text-base font-semibold">{words ? 'Not open to everybody' : 'Not available'}</p>
      <p className="text-sm text-pretty wrap-anywhere text-muted">
        {!words && otherwise}
        {words &&
          (groups.length > 0 ? 'This is what it takes, and what you have of it.' : `You need ${words}.`)}
      </p>
      {words && <Conditions side={data.read} />}
      {words && open === undefined && (
        <p className="text-sm text-pretty text-muted">
          The chain doesn’t answer right now, so what you hold can’t be checked. Try again in a minute.
        </p>
      )}
      {words && (
        <Button variant="primary" busy={isFetching} onClick={() => void check()}>
          Check again
        </Button>
      )}
    </div>
  )
}
