import { fromBase64 } from '@parley/sdk/bytes.ts'
import { Pause, Play } from 'lucide-react'
import { useMemo } from 'react'
import { useStore } from '../state/store.ts'
import { FileName } from './FileName.tsx'
import { useLoaded } from './kept.ts'
import { LoadProblem } from './LoadProblem.tsx'
import { lengthText, nameToSave } from './names.ts'
import { sizeText } from './size-text.ts'
import { nextSpeed, player, seek, speed, toggle } from './player.ts'
import { useProgress } from './progress.ts'
import { Ring } from './Ring.tsx'
import { SaveButton } from './SaveButton.tsx'
import type { ShownFile } from './shown.ts'
import { Upload } from './Upload.tsx'

/** Shows a sound: it can be played, faster too, and a click into its wave goes there. */
export function SoundRow({ file }: { file: ShownFile }) {
  const { key, wave, duration } = file
  const [loaded] = useLoaded(file, false)
  const progress = useProgress(file.waiting ?? '')
  const now = useStore(player)
  const playing = now?.key === key ? now : undefined
  const rate = useStore(speed)
  const length = playing?.length ?? (duration === undefined ? undefined : duration / 1000)
  const at = playing?.at ?? 0
  const name = wave === undefined ? nameToSave(file) : 'Voice note'
  return (
    <div
      role="group"
      aria-label={length === undefined ? name : `${name}, ${lengthText(length)}`}
      className="w-72 max-w-full"
    >
      <div className="flex h-14 items-center gap-2.5">
        {progress ? (
          <Upload {...{ file, progress }} />
        ) : loaded.state === 'loading' ? (
          <Ring label={`Loading ${name}`} part={loaded.part} />
        ) : (
          <button
            type="button"
            aria-label={`${playing?.isOn ? 'Pause' : 'Play'} ${name}`}
            className="grid size-10 shrink-0 place-items-center rounded-full bg-current/12 hover:bg-current/20 pointer-coarse:size-11"
            onClick={() => void toggle(file)}
          >
            {playing?.isOn ? (
              <Pause className="size-5 fill-current" aria-hidden="true" />
            ) : (
              <Play className="ms-0.5 size-5 fill-current" aria-hidden="true" />
            )}
          </button>
        )}
        <div className="min-w-0 flex-1">
          {wave === undefined && (
            <span className="block text-sm leading-tight font-medium">
              <FileName name={name} />
            </span>
          )}
          <div className="relative h-7 rounded has-focus-visible:outline-2">
            <Wave wave={wave} part={length ? Math.min(at / length, 1) : 0} />
            {playing && length !== undefined && (
              <input
                type="range"
                aria-label="Place in the sound"
                aria-valuetext={`${lengthText(at)} of ${lengthText(length)}`}
                min={0}
                max={length}
                step={0.1}
                value={at}
                className="absolute inset-0 m-0 size-full cursor-pointer opacity-0"
                onChange={(event) => seek(event.target.valueAsNumber)}
              />
            )}
          </div>
          <span className="block text-xs leading-tight tabular-nums opacity-85">
            {playing
              ? `${lengthText(at)}${length === undefined ? '' : ` / ${lengthText(length)}`}`
              : length === undefined
                ? sizeText(file.size)
                : lengthText(length)}
          </span>
        </div>
        {playing ? (
          <button
            type="button"
            aria-label={`Speed ${rate}×`}
            title="Speed"
            className="h-8 min-w-10 shrink-0 rounded-full bg-current/12 px-2 text-sm font-semibold tabular-nums hover:bg-current/20 pointer-coarse:h-11"
            onClick={nextSpeed}
          >
            {rate}×
          </button>
        ) : (
          !progress && <SaveButton file={file} facts={sizeText(file.size)} />
        )}
      </div>
      <LoadProblem loaded={loaded} />
    </div>
  )
}

const bars = 40

/** Returns how high each bar is, from 0 to 1: what a sound with no wave has is a line. */
function heightsOf(wave: string | undefined): number[] {
  try {
    const bytes = fromBase64(wave ?? '')
    if (bytes.length > 0)
      return Array.from({ length: bars }, (_, n) => bytes[Math.floor((n * bytes.length) / bars)]! / 255)
  } catch {
    // What is no wave is not drawn.
  }
  return Array.from({ length: bars }, () => 0)
}

function Wave({ wave, part }: { wave: string | undefined; part: number }) {
  const heights = useMemo(() => heightsOf(wave), [wave])
  return (
    <svg viewBox={`0 0 ${bars * 4} 28`} preserveAspectRatio="none" className="size-full" aria-hidden="true">
      {heights.map((height, n) => {
        const high = Math.max(2, height * 26)
        return (
          <rect
            // A bar has no other name than its place.
            // oxlint-disable-next-line react/no-array-index-key
            key={n}
            x={n * 4}
            y={14 - high / 2}
            width={2.5}
            height={high}
            rx={1.25}
            fill="currentcolor"
            opacity={n < part * bars ? 1 : 0.4}
          />
        )
      })}
    </svg>
  )
}
