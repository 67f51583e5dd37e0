import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { cache } from './service/api.ts'
import { keepWhatIsRead } from './offline/store-responses.ts'
import { encryptOutgoing } from './keys/state/encrypt-outgoing.ts'
import { finishSignOuts } from './sign-in/sign-out.ts'
import { currentAccount } from './service/session.ts'
import { tokenOf } from './service/tokens.ts'
import { beforeSending } from './thread/outbox.ts'
import { Routing } from './routes.tsx'
import { followUpdates } from './shell/update.ts'
import { applyTheme } from './state/theme.ts'

applyTheme()
followUpdates()
beforeSending(encryptOutgoing)
keepWhatIsRead()
const account = currentAccount()
// This starts before the first requests, which wait for it.
if (account) tokenOf(account.address).catch(() => {})
finishSignOuts()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={cache}>
      <BrowserRouter>
        <Routing />
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>,
)
