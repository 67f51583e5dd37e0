import { canonicalAddress } from '@parley/sdk/accounts.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { foundWallet, readWallet } from '../names/find.ts'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useUnsaved } from '../service/unsaved.ts'
import { AddressBlocks } from '../seal/AddressBlocks.tsx'
import { Button } from '../ui/Button.tsx'
import { showNotice } from '../state/notice.ts'
import { useSettled } from '../state/settled.ts'
import { TextField } from '../ui/TextField.tsx'
import { keepModerators } from './roles.ts'

/** Makes a wallet a moderator, by its address or name. */
export function AddModerator({ nftaddr }: { nftaddr: string }) {
  const [typed = '', setTyped] = useUnsaved<string>(`moderator of ${nftaddr}`)
  const who = typed.trim()
  const settled = useSettled(who, 300)
  const { data: found } = useQuery({ ...foundWallet(settled), enabled: settled.length > 2 })
  const address = settled === who && found && 'address' in found ? found.address : undefined
  const add = useMutation({
    mutationFn: async () => {
      const walletaddr = await readWallet(who)
      keepModerators(nftaddr, await client.addModerator({ nftaddr, walletaddr }))
    },
    onSuccess: () => {
      setTyped(undefined)
      showNotice('Moderator added')
    },
  })
  return (
    <form
      className="grid grid-cols-1 gap-2 border-t border-line pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (who) add.mutate()
      }}
    >
      <div className="flex flex-wrap items-start gap-2">
        <TextField
          className="flex-1"
          label="Add a moderator"
          placeholder="0x… or a name"
          hint="Can remove messages and mute or ban members."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          error={add.error ? describeError(add.error) : undefined}
          onChange={(event) => {
            setTyped(event.target.value)
            add.reset()
          }}
        />
        <Button
          type="submit"
          busy={add.isPending}
          whyDisabled={!who && 'Enter an address or a name.'}
          className="mt-6.5"
        >
          Add
        </Button>
      </div>
      {address && address !== canonicalAddress(who) && <AddressBlocks address={address} />}
    </form>
  )
}
