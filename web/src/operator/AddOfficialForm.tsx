import { useTeamForm } from '../names/use-team-form.ts'
import { client } from '../service/api.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { TextField } from '../ui/TextField.tsx'

/** Names a wallet as one of the team of the service, by its address or name. */
export function AddOfficialForm({ onAdded }: { onAdded: () => void }) {
  const { entered, isWhole, busy, problem, change, submit } = useTeamForm(
    'team of the service',
    async (walletaddr, label) => {
      await client.addOfficial({ walletaddr, body: { label } })
      onAdded()
    },
  )
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
          submit()
        }}
      >
        <TextField
          label="Who"
          placeholder="0x… or a name"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={entered.who}
          error={problem}
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
          busy={busy}
          whyDisabled={!isWhole && 'Enter who it is and what they do.'}
          className="justify-self-end"
        >
          Add
        </Button>
      </form>
    </Card>
  )
}
