import type { ReactNode } from 'react'
import { showProfile } from './shown-profile.ts'

interface Props {
  address: string
  /** The wallet has this name where the button is. */
  name: string
  /** When true, its card shows the seal alone. */
  sealOnly?: boolean
  /** The children are its picture. */
  children: ReactNode
}

/** Shows a picture of a wallet that opens its card. The touch target is larger than the picture. */
export const ProfileButton = ({ address, name, sealOnly = false, children }: Props) => (
  <button
    type="button"
    aria-label={`Profile of ${name}`}
    title={address}
    onClick={() => showProfile(address, sealOnly)}
    className="relative block shrink-0 rounded-full before:absolute before:-inset-2"
  >
    {children}
  </button>
)
