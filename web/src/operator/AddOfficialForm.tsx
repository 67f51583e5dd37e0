import { useMutation } from '@tanstack/react-query'
import { foundWallet } from '../names/find.ts'
import { cache, client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useUnsaved } from '../service/unsaved.ts'
import { showNotice } from '../state/notice.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { TextField } from '../ui/TextField.tsx'

interface Entered {
  who: string
  label: string
}
const nothing: Entered = { who: '', label: '' }

/** Names a wallet as one of the team of the service, by its address or name. */
export function AddOfficialForm({ onAdded }: { onAdded: () => void }) {
  const [entered = nothing, enter] = useUnsaved<Entered>('team of the service')
  const [who, label] = [entered.who.trim(), entered.label.trim()]
  const add = useMutation({
    mutationFn: async () => {
      const answer = await cache.fetchQuery(foundWallet(who))
      if (!('address' in answer))
        throw new Error('problem' in answer ? answer.problem : 'That’s a chat, not a person.')
      await client.addOfficial({ walletaddr: answer.address, body: { label } })
    },
    onSuccess: () => {
      enter(undefined)
      showNotice('Added to the team')
      onAdded()
    },
  })
  const change = (part: Partial<Entered>) => {
    enter({ ...entered, ...part })
    add.reset()
  }
  return (
    <Card title="Name somebody">
      <p className="text-sm text-pretty text-muted">
        Everybody sees the sign of {location.host} beside them. Name wallets that write to people, and compare
        the whole address first. You can’t name yourself.
      </p>
      <form
        className="grid grid-cols-1 gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (who && label) add.mutate()
        }}
      >
        <TextField
          label="Who"
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
          placeholder="Support"
          hint="Up to 32 letters and digits."
          autoComplete="off"
          maxLength={32}
          value={entered.label}
          onChange={({ target }) => change({ label: target.value })}
        />
        <Button
          type="submit"
          variant="primary"
          busy={add.isPending}
          whyDisabled={!(who && label) && 'Enter who it is and what they do.'}
          className="justify-self-end"
        >
          Add
        </Button>
      </form>
    </Card>
  )
}
