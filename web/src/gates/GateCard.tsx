import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { GateTry } from '@parley/sdk/contract/gate-answers.ts'
import type { Gate, NewGate } from '@parley/sdk/contract/gate-models.ts'
import { ruleWords } from '@parley/sdk/gates/words.ts'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { cache, client, query } from '../service/api.ts'
import { useServiceInfo } from '../service/info.ts'
import { Problem } from '../service/Problem.tsx'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { useUnsaved } from '../service/unsaved.ts'
import { showNotice } from '../state/notice.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { type Entered, enteredOf, gateOf, isWhole, type TokenNames, tokenNamesOf } from './entered.ts'
import { isElsewhere } from './limits.ts'
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
      {data && isOwner && <GateForm nftaddr={nftaddr} gate={data} />}
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
  const stored = useMemo(() => enteredOf(gate), [gate])
  const [entered = stored, enter] = useUnsaved<Entered>(`gate of ${nftaddr} ${JSON.stringify(gate)}`)
  const [learned, learn] = useState<TokenNames>(new Map())
  const names = new Map([...tokenNamesOf(gate), ...learned])
  const body = gateOf(entered)
  const attempt = useMutation({
    mutationFn: () => client.tryGate({ nftaddr, body }),
    onSuccess: (tried) => learn(new Map([...learned, ...tokenNamesOf(tried.gate)])),
  })
  const save = useMutation({
    mutationFn: () => client.setGate({ nftaddr, body }),
    onSuccess: (after) => {
      enter(undefined)
      attempt.reset()
      cache.setQueryData(query('getGate', { nftaddr }).queryKey, after)
      void cache.invalidateQueries()
      showNotice('Saved')
    },
  })
  const isChanged = JSON.stringify(entered) !== JSON.stringify(stored)
  const whyNot = !isChanged && 'Change who gets in first.'
  const problem = save.error ?? attempt.error
  const faults = problem instanceof ApiError ? (problem.errors ?? []) : []
  const change = (next: Entered) => {
    attempt.reset()
    save.reset()
    enter(next)
  }
  const blocks = { entered, chains, names, faults, onChange: change }
  return (
    <form
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <fieldset className="grid grid-cols-1 gap-5" disabled={save.isPending}>
        <SideFields side="read" {...blocks} />
        <SideFields side="post" {...blocks} />
      </fieldset>
      {isChanged && (
        <Outcome rules={isWhole(entered) ? gateOf(entered, names) : undefined} tried={attempt.data} />
      )}
      <Problem
        error={problem}
        text={faults.length > 0 && !faults.some(isElsewhere) && 'Check the fields above.'}
      />
      <div className="flex flex-wrap gap-2">
        <Button busy={attempt.isPending} whyDisabled={whyNot} onClick={() => attempt.mutate()}>
          Try it
        </Button>
        <Button type="submit" variant="primary" busy={save.isPending} whyDisabled={whyNot}>
          Save who gets in
        </Button>
        {isChanged && (
          <Button variant="quiet" onClick={() => change(stored)}>
            Discard changes
          </Button>
        )}
      </div>
    </form>
  )
}

/** Says in words what is entered, and, once it was tried, whom it would leave out. */
const Outcome = ({ rules, tried }: { rules: NewGate | undefined; tried: GateTry | undefined }) => (
  <div
    role={tried && 'status'}
    className="grid gap-1.5 rounded-xl bg-sunken p-3.5 text-sm text-pretty wrap-anywhere"
  >
    <h3 className="font-semibold">{tried ? 'What would change' : 'Not saved yet'}</h3>
    {tried && <Counts tried={tried} />}
    {!rules && <p className="text-muted">Fill in every condition to read here what it takes.</p>}
    {rules && (
      <p>{rules.read ? `To read and post you need ${ruleWords(rules.read)}.` : 'Everybody can read.'}</p>
    )}
    {rules?.post && <p>To post you also need {ruleWords(rules.post)}.</p>}
  </div>
)

function Counts({ tried: { members, asked, no_read, no_post, unknown } }: { tried: GateTry }) {
  const of = asked < members ? `${asked} of ${members} members were checked at random: of these ` : ''
  const people = (count: number) => `${count} of ${asked} ${asked === 1 ? 'member' : 'members'}`
  return (
    <>
      <p className="font-medium">
        {of}
        {people(no_read)} would lose access
        {no_post > no_read && `, and ${people(no_post)} could not post`}.
      </p>
      {unknown > 0 && <p className="text-muted">{people(unknown)} could not be checked right now.</p>}
    </>
  )
}
