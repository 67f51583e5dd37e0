import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { GateTry } from '@parley/sdk/contract/gate-answers.ts'
import type { Gate } from '@parley/sdk/contract/gate-models.ts'
import { ruleWords } from '@parley/sdk/gates/words.ts'
import { useMutation } from '@tanstack/react-query'
import { cache, client, query } from '../service/api.ts'
import { useServiceInfo } from '../service/info.ts'
import { Problem } from '../service/Problem.tsx'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { useUnsaved } from '../service/unsaved.ts'
import { showNotice } from '../state/notice.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { type Entered, gateOf, isElsewhere, sideOf } from './entered.ts'
import { SideFields } from './SideFields.tsx'
import { useGate } from './standing.ts'

/** Shows who gets into a chat; its owner chooses that. */
export function GateCard({ nftaddr, isOwner }: { nftaddr: string; isOwner: boolean }) {
  const { data, error, refetch } = useGate(nftaddr)
  return (
    <Card title="Who gets in">
      {error && !data && <ReadProblem error={error} what="Who gets in" onRetry={() => void refetch()} />}
      {!data && !error && <Spinner />}
      {data && <Words gate={data} />}
      {data && isOwner && <GateForm key={JSON.stringify(data)} nftaddr={nftaddr} gate={data} />}
    </Card>
  )
}

const Words = ({ gate: { read_words, post_words } }: { gate: Gate }) => (
  <div className="grid gap-1 text-sm text-pretty wrap-anywhere text-muted">
    <p>
      {read_words
        ? `To read and post you need ${read_words}.`
        : 'Everybody who is allowed to see this chat can read it.'}
    </p>
    {post_words && <p>To post you also need {post_words}.</p>}
    <p>The owner and the moderators always get in.</p>
  </div>
)

function GateForm({ nftaddr, gate }: { nftaddr: string; gate: Gate }) {
  const chains = useServiceInfo()?.chains ?? []
  const [read, post] = [sideOf(gate.read), sideOf(gate.post)]
  const none = { how: 'any', conditions: [] } as const
  const stored: Entered = {
    read: read ?? { ...none, conditions: [] },
    post: post ?? { ...none, conditions: [] },
  }
  const [entered = stored, enter] = useUnsaved<Entered>(`gate of ${nftaddr} ${JSON.stringify(gate)}`)
  const body = gateOf(entered)
  const attempt = useMutation({ mutationFn: () => client.tryGate({ nftaddr, body }) })
  const save = useMutation({
    mutationFn: () => client.setGate({ nftaddr, body }),
    onSuccess: (after) => {
      enter(undefined)
      cache.setQueryData(query('getGate', { nftaddr }).queryKey, after)
      void cache.invalidateQueries()
      showNotice('Saved')
    },
  })
  const isChanged = JSON.stringify(entered) !== JSON.stringify(stored)
  const problem = save.error ?? attempt.error
  const faults = problem instanceof ApiError ? (problem.errors ?? []) : []
  const change = (next: Entered) => {
    attempt.reset()
    save.reset()
    enter(next)
  }
  return (
    <form
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {!(read && post) && (
        <p className="text-sm text-pretty text-muted">
          A program has set groups within groups, which this form can’t show. What you save here replaces
          them.
        </p>
      )}
      <SideFields side="read" {...{ entered, chains, faults }} onChange={change} />
      <SideFields side="post" {...{ entered, chains, faults }} onChange={change} />
      {isChanged && !attempt.data && (
        <Preview gate={{ ...body, read_words: ruleWords(body.read), post_words: ruleWords(body.post) }} />
      )}
      {attempt.data && <Result tried={attempt.data} />}
      <Problem
        error={problem}
        text={faults.length > 0 && !faults.some(isElsewhere) && 'Check the fields above.'}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          busy={attempt.isPending}
          whyDisabled={!isChanged && 'Change who gets in first.'}
          onClick={() => attempt.mutate()}
        >
          Try it
        </Button>
        <Button
          type="submit"
          variant="primary"
          busy={save.isPending}
          whyDisabled={!isChanged && 'Change who gets in first.'}
        >
          Save who gets in
        </Button>
      </div>
    </form>
  )
}

const Preview = ({ gate }: { gate: Gate }) => (
  <p className="text-sm text-pretty wrap-anywhere">
    {gate.read_words ? `You need ${gate.read_words}.` : 'Everybody can read.'}
    {gate.post_words && ` To post you also need ${gate.post_words}.`}
  </p>
)

/** Says whom a gate would leave out. */
function Result({ tried: { members, asked, no_read, no_post, unknown, gate } }: { tried: GateTry }) {
  const of = asked < members ? `${asked} of ${members} members were checked at random: of these ` : ''
  const people = (count: number) => `${count} of ${asked} ${asked === 1 ? 'member' : 'members'}`
  return (
    <div role="status" className="grid gap-1 rounded-xl bg-sunken p-3.5 text-sm text-pretty wrap-anywhere">
      {gate.read_words && <p>You need {gate.read_words}.</p>}
      <p className="font-medium">
        {of}
        {people(no_read)} would lose access
        {no_post > no_read && `, and ${people(no_post)} could not post`}.
      </p>
      {unknown > 0 && <p className="text-muted">{people(unknown)} could not be checked right now.</p>}
    </div>
  )
}
