import { chainName } from '@parley/sdk/chain-names.ts'
import { type NameInEns, useChainName } from '../names/chain-names.ts'
import { classes } from '../ui/classes.ts'
import { useEnsLookAlike } from './look-alikes.ts'

interface Props {
  address: string
  /** When true, there is room for sentences. */
  isWhole?: boolean
}

/**
 * Shows the name that a wallet has in ENS, in grey and with its source: anybody can register such a name. When it looks
 * like the name of somebody else whom the reader knows, it says so in words.
 */
export function EnsName({ address, isWhole = false }: Props) {
  const found = useChainName(address)
  const other = useEnsLookAlike(found)
  if (!found) return null
  return (
    <span
      title={`${found.name} is their name in ${sourceOf(found)}. ${location.host} doesn’t check who they are.`}
      className={classes(
        'min-w-0 shrink-9 text-muted',
        isWhole ? 'grid gap-1 text-sm' : 'flex items-baseline gap-1.5 text-xs',
      )}
    >
      <span className={classes('min-w-0 items-baseline gap-1', isWhole ? 'inline' : 'flex')}>
        <span className="sr-only">Name in {sourceOf(found)}: </span>
        <bdi className={isWhole ? 'wrap-anywhere' : 'min-w-0 truncate'}>{found.name}</bdi>{' '}
        <span
          aria-hidden="true"
          className="shrink-0 rounded-sm bg-sunken px-1 text-[0.6875rem] font-medium whitespace-nowrap forced-colors:border"
        >
          {sourceOf(found)}
        </span>
      </span>
      {other && (
        <span className={classes('font-semibold text-danger', !isWhole && 'shrink-0')}>
          {isWhole
            ? `This name looks like that of ${other === 'you' ? 'your own wallet' : other}, but it’s another wallet.`
            : `Not ${other}`}
        </span>
      )}
    </span>
  )
}

const sourceOf = ({ chain }: NameInEns): string => (chain === 1 ? 'ENS' : `ENS on ${chainName(chain)}`)
