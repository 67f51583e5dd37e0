import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { cache } from './service/api.ts'
import { currentAccount } from './service/session.ts'
import { tokenOf } from './service/tokens.ts'
import { loadRooms, Routing } from './routes.tsx'
import { followUpdates } from './shell/update.ts'
import { signingOut } from './sign-in/signing-out.ts'
import { applyTheme } from './state/theme.ts'

applyTheme()
followUpdates()
const account = currentAccount()
// This starts before the first requests, which wait for it.
if (account) tokenOf(account.address).catch(() => {})
if (signingOut().length > 0)
  void import('./sign-in/sign-out.ts').then(({ finishSignOuts }) => finishSignOuts())

const root = createRoot(document.getElementById('root')!)
const show = () =>
  root.render(
    <StrictMode>
      <QueryClientProvider client={cache}>
        <BrowserRouter>
          <Routing />
        </BrowserRouter>
      </QueryClientProvider>
    </StrictMode>,
  )
// Until then the page shows what index.html has of the inbox.
if (account) void loadRooms().then(show)
else show()
