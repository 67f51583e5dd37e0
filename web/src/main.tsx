import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Client, loadInside } from './client.tsx'
import { currentAccount } from './service/session.ts'
import { followUpdates } from './shell/update.ts'
import { signingOut } from './sign-in/signing-out.ts'
import { applyTheme } from './state/theme.ts'

applyTheme()
followUpdates()
// A page that everybody reads leads to the client with this.
if (location.search === '?app') history.replaceState(history.state, '', location.pathname + location.hash)
const account = currentAccount()
// This starts before the first requests, which wait for it.
if (account) import('./service/tokens.ts').then(({ tokenOf }) => tokenOf(account.address)).catch(() => {})
// Nobody is signed in to whom another wallet is added.
else if (location.pathname === '/sign-in') history.replaceState(null, '', '/')
if (signingOut().length > 0)
  void import('./sign-in/sign-out.ts').then(({ finishSignOuts }) => finishSignOuts())

const root = createRoot(document.getElementById('root')!)
const show = () =>
  root.render(
    <StrictMode>
      <Client />
    </StrictMode>,
  )
// Until then the page shows what index.html has of the inbox.
if (account) void loadInside().then(show)
else show()
