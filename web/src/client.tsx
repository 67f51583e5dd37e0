// The first page is the sign-in page, and loads without what a wallet that is signed in sees.

import { lazy, Suspense, useEffect, useState } from 'react'
import type * as Loaded from './routes.tsx'
import { beforeSession, useAccount } from './service/session.ts'
import { handOverPath } from './sign-in/handed-link.ts'
import { pairing } from './sign-in/pairing.ts'
import { SignInPage } from './sign-in/SignInPage.tsx'
import { createStore, useStore } from './state/store.ts'
import { Spinner } from './ui/Spinner.tsx'

const PairingAlone = lazy(async () => ({
  default: (await import('./sign-in/PairingDialog.tsx')).PairingAlone,
}))

const loaded = createStore<typeof Loaded | undefined>(undefined)

/** Loads what a signed-in wallet sees; until then there is nothing else to show it. */
export async function loadInside(): Promise<void> {
  if (loaded.get()) return
  try {
    loaded.set(await import('./routes.tsx'))
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await loadInside()
  }
}

beforeSession(loadInside)

/** After these milliseconds the sign-in page loads ahead what comes next. */
const patience = 3000

export function Client() {
  const account = useAccount()
  const inside = useStore(loaded)
  const paired = useStore(pairing)
  // A wallet that signs out stays inside, where it sees the sign-in page too.
  const [needsRoutes, setNeedsRoutes] = useState(['/throw-away', handOverPath].includes(location.pathname))
  if (account && !needsRoutes) setNeedsRoutes(true)
  useEffect(() => {
    const timer = setTimeout(() => void loadInside(), needsRoutes ? 0 : patience)
    return () => clearTimeout(timer)
  }, [needsRoutes])
  if (!needsRoutes)
    return (
      <>
        <SignInPage pathname={location.pathname} />
        <Suspense>{paired && <PairingAlone {...paired} />}</Suspense>
      </>
    )
  if (inside) return <inside.Inside />
  return (
    <div className="grid h-full place-items-center">
      <Spinner />
    </div>
  )
}
