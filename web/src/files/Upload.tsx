import { CircleAlert, Clock, Pause, Play, X } from 'lucide-react'
import { nameToSave } from './names.ts'
import { cancelUpload, pauseUpload, resumeUpload, type useProgress } from './progress.ts'
import { Ring } from './Ring.tsx'
import type { ShownFile } from './shown.ts'

type Progress = NonNullable<ReturnType<typeof useProgress>>

const says: Record<Progress['state'], string> = {
  preparing: 'Preparing',
  uploading: 'Uploading',
  waiting: 'Waiting to upload',
  paused: 'Paused',
  failed: 'Couldn’t upload',
}

const button =
  'grid size-8 shrink-0 place-items-center rounded-full hover:bg-current/15 pointer-coarse:size-11'

/** Shows how far the upload of a file is, and what stops it. */
export function Upload({ file, progress: { state, part } }: { file: ShownFile; progress: Progress }) {
  const name = nameToSave(file)
  const key = file.waiting!
  const Sign = state === 'failed' ? CircleAlert : Clock
  const isPaused = state === 'paused' || state === 'failed'
  return (
    <span className="flex items-center gap-1">
      <Ring label={`${says[state]}: ${name}`} part={state === 'preparing' ? undefined : part}>
        <button
          type="button"
          aria-label={`Cancel ${name}`}
          title="Cancel"
          className="z-1 grid size-8 place-items-center rounded-full"
          onClick={() => cancelUpload(key)}
        >
          <X className="size-4.5" aria-hidden="true" />
        </button>
      </Ring>
      {(state === 'waiting' || state === 'failed') && (
        <Sign className="size-4" role="img" aria-label={says[state]} />
      )}
      {(isPaused || state === 'uploading') && (
        <button
          type="button"
          aria-label={`${isPaused ? 'Continue' : 'Pause'} ${name}`}
          title={isPaused ? 'Continue' : 'Pause'}
          className={button}
          onClick={() => (isPaused ? resumeUpload : pauseUpload)(key)}
        >
          {isPaused ? (
            <Play className="size-4" aria-hidden="true" />
          ) : (
            <Pause className="size-4" aria-hidden="true" />
          )}
        </button>
      )}
    </span>
  )
}
