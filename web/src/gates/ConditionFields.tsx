import { chainName } from '@parley/sdk/chain-names.ts'
import { Trash2 } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { Choices } from '../ui/Choices.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { TextField } from '../ui/TextField.tsx'
import type { Condition, Kind } from './entered.ts'

const kinds: { value: Kind; label: string }[] = [
  { value: 'erc20', label: 'A coin' },
  { value: 'erc721', label: 'An NFT' },
  { value: 'erc1155', label: 'An edition' },
  { value: 'wallets', label: 'A list of wallets' },
]

interface Props {
  number: number
  condition: Condition
  chains: number[]
  faultIn: (field: string) => string | undefined
  onChange: (next: Condition) => void
  onRemove: () => void
}

/** Chooses one condition: a token and how much of it, or wallets. */
export function ConditionFields({ number, condition, chains, faultIn, onChange, onRemove }: Props) {
  const set = (some: Partial<Condition>) => onChange({ ...condition, ...some })
  const known = new Set([...chains.map(String), condition.chain].filter(Boolean))
  return (
    <fieldset className="grid grid-cols-1 gap-3 rounded-xl border border-line p-3.5">
      <legend className="px-1 text-sm font-semibold">Condition {number}</legend>
      <Choices
        legend="What counts"
        dense
        choices={chains.length > 0 ? kinds : kinds.filter(({ value }) => value === 'wallets')}
        chosen={condition.kind}
        onChange={(kind) => set({ kind })}
      />
      <Choices
        legend="Who meets it"
        dense
        choices={[
          { value: 'has', label: condition.kind === 'wallets' ? 'Who is on it' : 'Who holds it' },
          { value: 'not', label: condition.kind === 'wallets' ? 'Who is not on it' : 'Who doesn’t hold it' },
        ]}
        chosen={condition.isNot ? 'not' : 'has'}
        onChange={(value) => set({ isNot: value === 'not' })}
      />
      {condition.kind === 'wallets' ? (
        <TextArea
          label="Wallets"
          hint={faultIn('wallets') ?? 'One address per line, up to 200.'}
          rows={3}
          most={40_000}
          value={condition.wallets}
          onChange={(wallets) => set({ wallets })}
        />
      ) : (
        <>
          <Choices
            legend="Chain"
            dense
            choices={Array.from(known, (value) => ({ value, label: chainName(value) }))}
            chosen={condition.chain}
            onChange={(chain) => set({ chain })}
          />
          <TokenFields {...{ condition, set, faultIn }} />
        </>
      )}
      <Button className="justify-self-start" onClick={onRemove}>
        <Trash2 className="size-4" aria-hidden="true" /> Remove condition {number}
      </Button>
    </fieldset>
  )
}

type TokenProps = Pick<Props, 'condition' | 'faultIn'> & { set: (some: Partial<Condition>) => void }

function TokenFields({ condition, set, faultIn }: TokenProps) {
  const { kind, contract, min, ids, hours } = condition
  return (
    <>
      <TextField
        label="Contract"
        placeholder="0x…"
        spellCheck={false}
        autoComplete="off"
        value={contract}
        error={faultIn('contract') ?? faultIn('chain')}
        onChange={(event) => set({ contract: event.target.value })}
      />
      <TextField
        label={kind === 'erc20' ? 'At least how much' : 'At least how many'}
        hint={kind === 'erc20' ? 'As people write it, such as 100 or 0.5.' : undefined}
        inputMode="decimal"
        autoComplete="off"
        value={min}
        error={faultIn('min')}
        onChange={(event) => set({ min: event.target.value })}
      />
      {kind !== 'erc20' && (
        <TextField
          label="Only these tokens"
          hint="Their numbers with spaces between; empty for any."
          autoComplete="off"
          value={ids}
          error={faultIn('ids')}
          onChange={(event) => set({ ids: event.target.value })}
        />
      )}
      <TextField
        label="Held for at least, in hours"
        hint="Such as 72, so that a token borrowed for a moment doesn’t count; empty for what they hold now."
        inputMode="numeric"
        autoComplete="off"
        value={hours}
        error={faultIn('held_hours')}
        onChange={(event) => set({ hours: event.target.value })}
      />
    </>
  )
}
