import type { DmPolicy } from '@parley/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cache, client, describeError, query } from '../service/api.ts'
import { useServiceInfo } from '../service/info.ts'
import { isEvmAddress } from '../ui/address.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { classes } from '../ui/classes.ts'
import { showNotice } from '../ui/notice.ts'
import { TextField } from '../ui/TextField.tsx'

type Who = DmPolicy['who']

const choices: [Who, string, string][] = [
  [
    'requests',
    'Everyone, and strangers wait in requests',
    'A stranger can write five messages until you answer or accept.',
  ],
  [
    'everyone',
    'Everyone, without limits',
    'Strangers still wait in requests; notifications tell you of them too.',
  ],
  ['holders', 'Holders of a token', 'And whom you have accepted or written to.'],
  ['contacts', 'Only whom you know', 'Whom you have accepted or written to.'],
]

/** From whom the wallet takes direct messages. Everybody can read it, so that a sender knows before. */
export function DmPolicyCard() {
  const read = query('getOwnDmPolicy')
  const { data, error } = useQuery(read)
  const chains = useServiceInfo()?.chains ?? []
  const [typed, setTyped] = useState<string>()
  const [isHolders, setIsHolders] = useState(false)
  const change = useMutation({
    mutationFn: (body: DmPolicy) => client.setDmPolicy({ body }),
    onSuccess: (policy) => {
      cache.setQueryData(read.queryKey, policy)
      setIsHolders(false)
      setTyped(undefined)
      showNotice('Saved')
    },
  })
  const chosen: Who | undefined = isHolders ? 'holders' : change.isPending ? change.variables.who : data?.who
  const contract = (typed ?? data?.token?.contract ?? '').trim().toLowerCase()
  const problem = change.error ?? error
  const choose = (who: Who) => {
    if (who === 'holders') return setIsHolders(true)
    setIsHolders(false)
    change.mutate({ who })
  }
  return (
    <Card title="Who can write to you">
      <div role="radiogroup" aria-label="Who can write to you" className="grid gap-2">
        {choices
          .filter(([who]) => who !== 'holders' || chains.length > 0 || data?.who === 'holders')
          .map(([who, label, hint]) => (
            <label
              key={who}
              className={classes(
                'relative grid min-h-11 cursor-pointer gap-0.5 rounded-xl border px-3.5 py-2.5 has-focus-visible:outline-2 has-focus-visible:outline-accent',
                chosen === who ? 'border-accent bg-selected' : 'border-line hover:bg-hover',
              )}
            >
              <input
                type="radio"
                name="dm-policy"
                className="sr-only"
                checked={chosen === who}
                disabled={!data}
                onChange={() => choose(who)}
              />
              <span className="font-medium">{label}</span>
              <span className="text-sm text-muted">{hint}</span>
            </label>
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
            value={typed ?? data?.token?.contract ?? ''}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button
            type="submit"
            busy={change.isPending}
            whyDisabled={
              isEvmAddress(contract)
                ? data?.who === 'holders' && contract === data.token?.contract && 'This is the token already.'
                : 'Enter the address of the contract: 0x and 40 characters.'
            }
          >
            Save
          </Button>
        </form>
      )}
      <p className="text-sm text-pretty text-muted">
        Others can see this choice. Nobody sees whom you have accepted, ignored or blocked.
      </p>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem && describeError(problem)}
      </p>
    </Card>
  )
}
