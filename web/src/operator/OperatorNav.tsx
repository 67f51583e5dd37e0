import { canonicalAddress } from '@parley/sdk/accounts.ts'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { NavLink, useNavigate } from 'react-router'
import { Button } from '../ui/Button.tsx'

const link =
  'inline-flex min-h-11 items-center rounded-xl px-3 font-medium text-muted hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:text-accent-strong'

/** Shows the navigation of the console: the queue, the log, blocked files, the team, and a wallet or chat by its address. */
export function OperatorNav() {
  const navigate = useNavigate()
  const [address, setAddress] = useState('')
  const [problem, setProblem] = useState(false)
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <nav aria-label="Console" className="flex flex-wrap gap-1">
          <NavLink to="/operator" end className={link}>
            Reports
          </NavLink>
          <NavLink to="/operator/log" className={link}>
            Log
          </NavLink>
          <NavLink to="/operator/files" className={link}>
            Files
          </NavLink>
          <NavLink to="/operator/team" className={link}>
            Team
          </NavLink>
          <NavLink to="/status" className={link}>
            Status
          </NavLink>
        </nav>
        <form
          role="search"
          aria-label="A wallet or chat"
          className="flex min-w-52 flex-1 gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            const typed = address.trim()
            const wanted = canonicalAddress(typed)
            // Neither has a space in it.
            const isOne = /^\S+$/.test(wanted)
            setProblem(!isOne)
            if (isOne) void navigate(`/operator/wallets/${encodeURIComponent(wanted)}`)
          }}
        >
          <input
            aria-label="Address of a wallet, or name of a community"
            aria-describedby={problem ? 'wallet-problem' : undefined}
            aria-invalid={problem}
            placeholder="0x… or a community"
            value={address}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={128}
            onChange={(event) => setAddress(event.target.value)}
            className="min-h-11 w-full min-w-0 rounded-xl border border-line-strong bg-surface px-3.5 py-2 text-base focus:border-accent focus:outline-1 focus:-outline-offset-2 focus:outline-accent"
          />
          <Button type="submit" aria-label="Show it" className="px-3">
            <Search className="size-5" aria-hidden="true" />
          </Button>
        </form>
      </div>
      <p id="wallet-problem" role="alert" className="text-sm text-danger empty:hidden">
        {problem && 'Enter an address or the name of a community.'}
      </p>
    </div>
  )
}
