import { Lock } from 'lucide-react'
import { Link } from 'react-router'
import { shortDate } from '../state/time.ts'
import { Button } from '../ui/Button.tsx'
import { pauseDeviceSearch, resumeDeviceSearch, searchFurther } from './device.ts'
import { mostMessages } from './index-state.ts'
import { type DeviceProgress, useDeviceProgress } from './progress.ts'

/** Says above the results of a search how far the encrypted messages are searched, which only this device can read. */
export function DeviceSearchLine({ onFurther = searchFurther }: { onFurther?: () => Promise<void> }) {
  const progress = useDeviceProgress()
  const { state, part } = progress
  if (state === 'none') return null
  const isUnfinished = state === 'working' || state === 'paused'
  return (
    <div role="group" aria-label="Encrypted messages" className="grid text-sm text-muted">
      <div className="flex flex-wrap items-center gap-x-2 px-4 py-1">
        <Lock className="size-4 shrink-0" aria-hidden="true" />
        <p className="min-w-40 flex-1 text-pretty">{textOf(progress)}</p>
        {state === 'locked' && (
          <Link
            to="/settings/encryption"
            className="inline-flex min-h-11 items-center px-2 font-medium text-accent"
          >
            Unlock
          </Link>
        )}
        {isUnfinished && (
          <span className="flex flex-wrap">
            <Button variant="quiet" onClick={() => void onFurther()}>
              Search further
            </Button>
            {state === 'working' ? (
              <Button variant="quiet" onClick={() => void pauseDeviceSearch()}>
                Pause
              </Button>
            ) : (
              <Button variant="quiet" onClick={() => void resumeDeviceSearch()}>
                Continue
              </Button>
            )}
          </span>
        )}
      </div>
      {isUnfinished && (
        <div
          role="progressbar"
          aria-label="Conversations searched to their beginning"
          aria-valuenow={Math.round(part * 100)}
          className="h-0.5 bg-sunken"
        >
          <div className="h-full bg-accent" style={{ width: `${part * 100}%` }} />
        </div>
      )}
    </div>
  )
}

function textOf({ state, backTo, hasNoRoom }: DeviceProgress): string {
  if (state === 'locked') return 'Encrypted messages aren’t searched.'
  const searched =
    backTo === undefined
      ? 'Searched encrypted messages.'
      : `Searched encrypted messages back to ${shortDate(new Date(backTo).toISOString())}.`
  if (hasNoRoom) return `${searched} This browser has no room for more.`
  if (state === 'full') return `${searched} Only the newest ${mostMessages.toLocaleString()} are searched.`
  return searched
}
