import type { DmPolicy } from '@parley/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { cache, client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useServiceInfo } from '../service/info.ts'
import { useUnsaved } from '../service/unsaved.ts'
import { isEvmAddress } from '../seal/address.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Choice } from '../ui/Choices.tsx'
import { showNotice } from '../state/notice.ts'
import { TextField } from '../ui/TextField.tsx'

type Who = DmPolicy['who']

const choices: [Who, string, string][] = [
  [
    'requests',
    'Everyone (new people as requests)',
    'New people can send five messages until you reply or accept.',
  ],
  ['everyone', 'Everyone, no limit', 'New people still arrive as requests, and you are notified.'],
  [
    'holders',
    'Contacts and holders of a token',
    'People who own the token, and people you accepted or wrote to.',
  ],
  ['contacts', 'Contacts only', 'People you accepted or wrote to.'],
]

/** Chooses from whom the wallet takes direct messages. Everybody can read it, so that a sender knows before. */
export function DmPolicyCard() {
  const read = query('getOwnDmPolicy')
  const { data, error } = useQuery(read)
  const chains = useServiceInfo()?.chains ?? []
  /** This is the contract of “holders”, which is saved with it; undefined while another choice is shown. */
  const [typed, setTyped] = useUnsaved<string>('token of holders')
  const change = useMutation({
    mutationFn: (body: DmPolicy) => client.setDmPolicy({ body }),
    onSuccess: (policy) => {
      cache.setQueryData(read.queryKey, policy)
      setTyped(undefined)
      showNotice('Saved')
    },
  })
  const chosen: Who | undefined =
    typed !== undefined ? 'holders' : change.isPending ? change.variables.who : data?.who
  const stored = data?.token?.contract ?? ''
  const contract = (typed ?? stored).trim().toLowerCase()
  const problem = change.error ?? error
  const choose = (who: Who) => {
    if (who === 'holders') return setTyped(typed ?? stored)
    setTyped(undefined)
    change.mutate({ who })
  }
  return (
    <Card title="Who can write to you">
      <div role="radiogroup" aria-label="Who can write to you" className="grid gap-2">
        {choices
          .filter(([who]) => who !== 'holders' || chains.length > 0 || data?.who === 'holders')
          .map(([who, label, hint]) => (
            <Choice
              key={who}
              group="dm-policy"
              className="grid min-h-11 gap-0.5 px-3.5 py-2.5"
              checked={chosen === who}
              disabled={!data}
              onChoose={() => choose(who)}
            >
              <span className="font-medium">{label}</span>
              <span className="text-sm text-muted">{hint}</span>
            </Choice>
          ))}
      </div>
      {chosen === 'holders' && (
        <form
          className="flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            const chain = data?.token?.chain ?? chains[0]
            if (chain !== undefined) change.mutate({ who: 'holders', token: { chain, contract } })
          }}
        >
          <TextField
            className="min-w-48 flex-1"
            label="Contract of the token"
            placeholder="0x…"
            spellCheck={false}
            autoComplete="off"
            value={typed ?? stored}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button
            type="submit"
            busy={change.isPending}
            whyDisabled={
              isEvmAddress(contract)
                ? data?.who === 'holders' && contract === stored && 'This is the token already.'
                : 'Enter the address of the contract: 0x and 40 characters.'
            }
          >
            Save
          </Button>
        </form>
      )}
      <p className="text-sm text-pretty text-muted">
        Others can see this choice. Only you see whom you accepted, ignored or blocked.
      </p>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem && describeError(problem)}
      </p>
    </Card>
  )
}
