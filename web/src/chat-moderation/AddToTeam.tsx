import { useTeamForm } from '../names/use-team-form.ts'
import { client } from '../service/api.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'
import { keepTeam } from './team.ts'

/** Names a wallet as one of the team of a chat, by its address or name. */
export function AddToTeam({ nftaddr }: { nftaddr: string }) {
  const { entered, isWhole, busy, problem, change, submit } = useTeamForm(
    `team of ${nftaddr}`,
    async (walletaddr, label) =>
      keepTeam(nftaddr, await client.addToChatTeam({ nftaddr, walletaddr, body: { label } })),
  )
  return (
    <form
      className="grid grid-cols-1 gap-3 border-t border-line pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        label="Add to the team"
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
        placeholder="Florist"
        hint="Up to 32 letters and digits."
        autoComplete="off"
        maxLength={32}
        value={entered.label}
        onChange={({ target }) => change({ label: target.value })}
      />
      <Button
        type="submit"
        busy={busy}
        whyDisabled={!isWhole && 'Enter who it is and what they do.'}
        className="justify-self-end"
      >
        Add
      </Button>
    </form>
  )
}
