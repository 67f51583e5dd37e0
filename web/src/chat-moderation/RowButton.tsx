import { useName } from '../names/profile.ts'
import { shortAddress } from '../seal/address.ts'
import { Button } from '../ui/Button.tsx'

interface Props {
  address: string
  label: string
  busy?: boolean
  onClick: () => void
}

/** The accessible name of a row's button says which wallet it is for. */
export function RowButton({ address, label, ...rest }: Props) {
  const { name } = useName(address)
  return (
    <Button aria-label={`${label} ${name || shortAddress(address)}`} {...rest}>
      {label}
    </Button>
  )
}
