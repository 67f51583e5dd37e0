import type { ReactNode } from 'react'
import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { showProfile } from './shown-profile.ts'
import { useProfile } from './profile.ts'
import { WalletMark } from './WalletMark.tsx'

interface Props {
  address: string
  /** This is the text about the wallet. */
  hint: string
  /** These buttons act on the wallet. */
  children?: ReactNode
}

/** Shows a wallet in a list: it opens its profile. */
export function WalletRow({ address, hint, children }: Props) {
  const { name, ownName, picture } = useProfile(address)
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1">
      <button
        type="button"
        onClick={() => showProfile(address)}
        className="-ms-2 flex min-h-11 min-w-0 flex-1 basis-52 items-center gap-3 rounded-xl px-2 text-start hover:bg-hover"
      >
        <Avatar seed={address} picture={picture} />
        <span className="grid min-w-0 leading-tight">
          <span className="flex items-center gap-1.5">
            <span className="truncate font-medium" dir="auto">
              {name || shortAddress(address)}
            </span>
            <WalletMark address={address} name={ownName} />
          </span>
          <span className="text-sm text-pretty wrap-anywhere text-muted">{hint}</span>
        </span>
      </button>
      <span className="flex flex-wrap gap-2 empty:hidden">{children}</span>
    </li>
  )
}
