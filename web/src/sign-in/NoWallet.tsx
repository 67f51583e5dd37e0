import { Fragment } from 'react'
import { SquareArrowOutUpRight } from 'lucide-react'
import { handOverPath } from './handed-link.ts'
import { extensions, isPhone, walletApps } from './wallet-apps.ts'

/** Says what to do when the browser has no wallet: on a phone, open this page in a wallet's app. */
export const NoWallet = () => (
  <div className="grid gap-3">
    <Elsewhere />
    <p className="text-sm text-pretty text-muted">
      Signed in on another device?{' '}
      <a className="text-accent underline" href={handOverPath}>
        Sign in by a link
      </a>
    </p>
  </div>
)

function Elsewhere() {
  if (!isPhone())
    return (
      <p className="rounded-xl bg-sunken p-4 text-sm text-pretty text-muted">
        No wallet found in this browser. Install one (
        {extensions.map(({ name, href }, index) => (
          <Fragment key={name}>
            {index > 0 && ', '}
            <a className="text-accent underline" href={href} target="_blank" rel="noopener noreferrer">
              {name}
            </a>
          </Fragment>
        ))}
        ), or open this page inside your wallet app.
      </p>
    )
  return (
    <div className="grid gap-3">
      <p className="text-sm text-pretty text-muted">
        This browser has no wallet. Open this page in your wallet’s app:
      </p>
      <ul className="grid gap-2">
        {walletApps.map(({ name, link }) => (
          <li key={name}>
            <a
              href={link(location)}
              rel="noreferrer"
              className="flex min-h-11 items-center justify-between gap-2 rounded-xl border border-line bg-raised px-4 py-2 font-medium text-ink hover:bg-hover"
            >
              Open in {name}
              <SquareArrowOutUpRight className="size-4 text-muted" aria-hidden="true" />
            </a>
          </li>
        ))}
      </ul>
      <p className="text-sm text-pretty text-muted">
        Using another wallet? Copy this page’s link and open it in that app.
      </p>
    </div>
  )
}
