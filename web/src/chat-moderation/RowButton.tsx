import { useProfile } from '../names/profile.ts'
import { shortAddress } from '../ui/address.ts'
import { Button } from '../ui/Button.tsx'

interface Props {
  /** The wallet of the row. */
  address: string
  label: string
  busy?: boolean
  onClick: () => void
}

/** A button of a row, whose accessible name says of which wallet it is. */
export function RowButton({ address, label, ...rest }: Props) {
  const { name } = useProfile(address)
  return (
    <Button aria-label={`${label} ${name || shortAddress(address)}`} {...rest}>
      {label}
    </Button>
  )
}
