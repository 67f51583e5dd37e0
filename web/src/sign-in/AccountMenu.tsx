import { Check, Gavel, IdCard, LogOut, Search, Settings, UserPlus, UserRoundSearch } from 'lucide-react'
import { useNavigate } from 'react-router'
import { showProfile } from '../names/shown-profile.ts'
import { usePicture } from '../names/profile.ts'
import { WalletName } from '../names/WalletName.tsx'
import { switchAccount, useAccount, useAccounts } from '../service/session.ts'
import { useIsOperator } from '../service/tokens.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/Menu.tsx'
import { paletteKeys, showPalette } from '../state/palette.ts'
import { useSignOut } from './use-sign-out.tsx'

/** Shows the menu of the signed-in wallets: switch, add another, settings, sign out. */
export function AccountMenu() {
  const current = useAccount()!
  const accounts = useAccounts()
  const navigate = useNavigate()
  const picture = usePicture(current.address, { mayWait: true })
  const choose = (address: string) => {
    switchAccount(address)
    void navigate('/')
  }
  const isOperator = useIsOperator(current.address)
  const { begin, dialog } = useSignOut(current.address)
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button type="button" aria-label="Your wallets and settings" className="rounded-full p-0.5">
            <Avatar seed={current.address} picture={picture} />
          </button>
        }
      >
        {accounts.map(({ address, kind }) => (
          <MenuItem
            key={address}
            icon={<Avatar seed={address} size="small" />}
            onSelect={() => choose(address)}
          >
            <span className="grid flex-1 leading-tight">
              <WalletName address={address} />
              {kind === 'throw-away' && <span className="text-xs text-muted">Throw-away key</span>}
              {kind === 'handed-over' && <span className="text-xs text-muted">Signed in by a link</span>}
            </span>
            {address === current.address && <Check className="size-4" role="img" aria-label="Current" />}
          </MenuItem>
        ))}
        <MenuItem icon={<UserPlus />} onSelect={() => void navigate('/sign-in')}>
          Add another wallet
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<IdCard />} onSelect={() => showProfile(current.address)}>
          Your address and link
        </MenuItem>
        <MenuItem icon={<Search />} onSelect={() => showPalette(true)}>
          <span className="flex-1">Jump to…</span>
          <kbd aria-hidden="true" className="font-sans text-xs text-muted pointer-coarse:hidden">
            {paletteKeys}
          </kbd>
        </MenuItem>
        <MenuItem icon={<UserRoundSearch />} onSelect={() => void navigate('/requests')}>
          Requests
        </MenuItem>
        <MenuItem icon={<Settings />} onSelect={() => void navigate('/settings')}>
          Profile and settings
        </MenuItem>
        {isOperator && (
          <MenuItem icon={<Gavel />} onSelect={() => void navigate('/operator')}>
            Operators
          </MenuItem>
        )}
        <MenuItem icon={<LogOut />} onSelect={begin}>
          Sign out
        </MenuItem>
      </Menu>
      {dialog}
    </>
  )
}
