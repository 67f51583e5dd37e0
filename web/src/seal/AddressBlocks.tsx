import { classes } from '../ui/classes.ts'
import { canonicalAddress, isEvmAddress } from './address.ts'

interface Props {
  /** It has its checksum, if there is one. */
  address: string
  /** The digits that differ from this other address are marked. */
  unlike?: string
}

/**
 * Shows a whole address in blocks of four digits, the first and the last of which stand out. A copy of the selected
 * text has no spaces.
 */
export function AddressBlocks({ address, unlike }: Props) {
  const evm = isEvmAddress(address)
  const digits = evm ? address.slice(2) : address
  const [compared, other] = [address, unlike ?? address].map((one) =>
    canonicalAddress(one).slice(evm ? 2 : 0),
  )
  const starts = Array.from({ length: Math.ceil(digits.length / 4) }, (_, i) => i * 4)
  return (
    <span
      className={classes(
        'font-address gap-x-1.5 gap-y-0.5 text-sm',
        evm
          ? 'grid w-fit grid-cols-[repeat(6,max-content)] max-[22.5rem]:grid-cols-[repeat(5,max-content)]'
          : 'flex flex-wrap',
      )}
    >
      {evm && <span className="row-span-2 text-muted max-[22.5rem]:row-span-3">0x</span>}
      {starts.map((start) => {
        const block = digits.slice(start, start + 4)
        const end = start === 0 || start + 4 >= digits.length
        const differs = compared?.slice(start, start + 4) !== other?.slice(start, start + 4)
        return (
          <span
            key={start}
            className={classes(
              end ? 'font-bold text-ink' : 'text-muted',
              differs && 'rounded-sm bg-warn-soft text-warn',
            )}
          >
            {block}
          </span>
        )
      })}
    </span>
  )
}
