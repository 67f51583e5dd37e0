import { RefreshCw } from 'lucide-react'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { useOutdated } from './update.ts'

/** Shown when the service has a newer client than this page. */
export function UpdateBanner() {
  if (!useOutdated()) return null
  return (
    <Banner
      icon={<RefreshCw className="size-4 shrink-0" aria-hidden="true" />}
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      A new version is here. What you are writing is kept.
    </Banner>
  )
}
