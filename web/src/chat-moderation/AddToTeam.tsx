import { useMutation } from '@tanstack/react-query'
import { foundWallet } from '../names/find.ts'
import { cache, client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useUnsaved } from '../service/unsaved.ts'
import { Button } from '../ui/Button.tsx'
import { showNotice } from '../state/notice.ts'
import { TextField } from '../ui/TextField.tsx'
import { keepTeam } from './team.ts'

interface Entered {
  who: string
  label: string
}
const nothing: Entered = { who: '', label: '' }

/** Names a wallet as one of the team of a chat, by its address or name. */
export function AddToTeam({ nftaddr }: { nftaddr: string }) {
  const [entered = nothing, enter] = useUnsaved<Entered>(`team of ${nftaddr}`)
  const [who, label] = [entered.who.trim(), entered.label.trim()]
  const add = useMutation({
    mutationFn: async () => {
      const answer = await cache.fetchQuery(foundWallet(who))
      if (!('address' in answer))
        throw new Error('problem' in answer ? answer.problem : 'That’s a chat, not a person.')
      const { address: walletaddr } = answer
      keepTeam(nftaddr, await client.addToChatTeam({ nftaddr, walletaddr, body: { label } }))
    },
    onSuccess: () => {
      enter(undefined)
      showNotice('Added to the team')
    },
  })
  const change = (part: Partial<Entered>) => {
    enter({ ...entered, ...part })
    add.reset()
  }
  return (
    <form
      className="grid grid-cols-1 gap-3 border-t border-line pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (who && label) add.mutate()
      }}
    >
      <TextField
        label="Add to the team"
        placeholder="0x… or a name"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={entered.who}
        error={add.error ? describeError(add.error) : undefined}
        onChange={({ target }) => change({ who: target.value })}
      />
      <TextField
        label="What they do"
        placeholder="Florist"
        hint="Up to 32 letters and digits."
        autoComplete="off"
        maxLength={32}
        value={entered.label}
        onChange={({ target }) => change({ label: target.value })}
      />
      <Button
        type="submit"
        busy={add.isPending}
        whyDisabled={!(who && label) && 'Enter who it is and what they do.'}
        className="justify-self-end"
      >
        Add
      </Button>
    </form>
  )
}
