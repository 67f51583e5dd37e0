import { chainName } from '@parley/sdk/chain-names.ts'
import { ChevronDown, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Choices } from '../ui/Choices.tsx'
import { classes } from '../ui/classes.ts'
import { TextArea } from '../ui/TextArea.tsx'
import { TextField } from '../ui/TextField.tsx'
import { type Condition, isComplete, type Kind, wordsOf } from './entered.ts'
import type { Form } from './form.ts'
import { faultAt } from './limits.ts'

const kinds: { value: Kind; label: string }[] = [
  { value: 'erc20', label: 'A coin' },
  { value: 'erc721', label: 'An NFT' },
  { value: 'erc1155', label: 'An edition' },
  { value: 'wallets', label: 'A list of wallets' },
]

interface Props {
  form: Form
  number: string
  condition: Condition
  /** Its place in the body of a request. */
  at: string
  /** When true, it can be one that must not be met. */
  mayTurn: boolean
  onChange: (next: Condition) => void
  onRemove: () => void
}

/** Shows one condition in words, and opens to its fields. */
export function ConditionFields({ number, ...props }: Props) {
  const { condition, form, at, onRemove } = props
  const [isOpen, open] = useState(!isComplete(condition))
  const hasFault = form.faults.some(({ pointer }) => pointer.startsWith(`${at}/`))
  const words = isComplete(condition) ? wordsOf(condition, form.names) : 'not filled in yet'
  const block = useRef<HTMLFieldSetElement>(null)
  const isAdded = form.added === condition.key
  useEffect(() => {
    if (isAdded) block.current?.querySelector('input')?.focus()
  }, [isAdded])
  return (
    <fieldset ref={block} className="min-w-0 rounded-xl border border-line">
      <legend className="sr-only">Condition {number}</legend>
      <details open={isOpen || hasFault} onToggle={(event) => open(event.currentTarget.open)}>
        <summary className="group flex min-h-12 cursor-pointer list-none items-center gap-3 rounded-xl px-3.5 py-2.5 text-sm hover:bg-hover">
          <span className="min-w-0 flex-1 wrap-anywhere">
            <span className="font-semibold">Condition {number}:</span> {words}
          </span>
          <ChevronDown
            className={classes('size-4 shrink-0 text-muted', (isOpen || hasFault) && 'rotate-180')}
            aria-hidden="true"
          />
        </summary>
        <div className="grid grid-cols-1 gap-3 px-3.5 pt-1 pb-3.5">
          <Fields {...props} />
          <Button variant="quiet" className="-ms-3 justify-self-start text-sm" onClick={onRemove}>
            <Trash2 className="size-4" aria-hidden="true" /> Remove condition {number}
          </Button>
        </div>
      </details>
    </fieldset>
  )
}

function Fields({ condition, form, at, mayTurn, onChange }: Omit<Props, 'number' | 'onRemove'>) {
  const { chains, faults } = form
  const faultIn = faultAt(faults, at)
  const set = (some: Partial<Condition>) => onChange({ ...condition, ...some })
  const known = new Set([...chains.map(String), condition.chain].filter(Boolean))
  const holders = condition.kind !== 'wallets'
  return (
    <>
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
          { value: 'has', label: holders ? 'Who holds it' : 'Who is on it' },
          ...(mayTurn
            ? [{ value: 'not', label: holders ? 'Who doesn’t hold it' : 'Who is not on it' } as const]
            : []),
        ]}
        chosen={condition.isNot ? 'not' : 'has'}
        onChange={(value) => set({ isNot: value === 'not' })}
      />
      {condition.kind === 'wallets' ? (
        <TextArea
          label="Wallets"
          hint="One address per line, up to 200."
          problem={faultIn('wallets')}
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
    </>
  )
}

const amountLabels = {
  has: { much: 'At least how much', many: 'At least how many' },
  not: { much: 'Less than', many: 'Fewer than' },
}

interface TokenProps {
  condition: Condition
  faultIn: (field: string) => string | undefined
  set: (some: Partial<Condition>) => void
}

function TokenFields({ condition, set, faultIn }: TokenProps) {
  const { kind, isNot, contract, min, ids, hours } = condition
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
        label={amountLabels[isNot ? 'not' : 'has'][kind === 'erc20' ? 'much' : 'many']}
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
