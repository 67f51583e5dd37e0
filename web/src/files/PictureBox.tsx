import { Download, ImageOff, Play } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Message } from '../messages/message.ts'
import { classes } from '../ui/classes.ts'
import { loadsByItself, waitsToMove } from './by-itself.ts'
import { type Loaded, setFailed, useLoaded } from './kept.ts'
import { kindOf } from '@parley/sdk/files/kinds.ts'
import { lengthText } from './names.ts'
import { sizeText } from './size-text.ts'
import { usePlaceholder } from './placeholder.ts'
import { useProgress } from './progress.ts'
import { Ring } from './Ring.tsx'
import type { ShownFile } from './shown.ts'
import { Upload } from './Upload.tsx'
import { viewedFile } from './viewed.ts'
import { describe } from './words.ts'

interface Props {
  file: ShownFile
  message: Message
  /** This number of pictures follows, for which there is no room. */
  more?: number
}

/** Fills its room with a picture, or with what is known of it before it is loaded. A click shows it on the whole screen. */
export function PictureBox({ file, message, more = 0 }: Props) {
  const isVideo = kindOf(file) === 'video'
  const [loaded, load] = useLoaded(file, loadsByItself(file, message))
  const progress = useProgress(file.waiting ?? '')
  const [shown, setShown] = useState<'before' | 'yes' | 'broken'>('before')
  const isClear = message.mine || message.linksOff !== true
  const placeholder = usePlaceholder(file, isClear)
  const url = loaded.state === 'here' && !isVideo ? loaded.url : undefined
  const asks = loaded.state === 'none' && !isVideo && !loadsByItself(file, message)
  const moves = waitsToMove(file)
  const Sign = moves ? Play : Download
  const call = `${moves ? 'Play animation' : 'Load picture'} (${sizeText(file.size)})`
  const problem = problemOf(loaded, shown)
  const description = describe(file, message)
  const view = () => viewedFile.set(file.key)
  // A video is read by what plays it.
  const retry = () => {
    if (!isVideo) return load()
    setFailed(file, undefined)
    view()
  }
  return (
    <div className="absolute inset-0 overflow-hidden bg-ink/10">
      {placeholder && shown !== 'yes' && (
        <img src={placeholder} alt="" className={classes(fills, !isClear && 'blur-lg')} />
      )}
      {url && (
        <img
          src={url}
          alt=""
          decoding="async"
          draggable={false}
          className={fills}
          onLoad={() => setShown('yes')}
          onError={() => setShown('broken')}
        />
      )}
      {problem ? (
        <Problem {...problem} description={description} onRetry={retry} />
      ) : asks ? (
        <button
          type="button"
          aria-label={`${call}. ${description}`}
          className={classes(fills, 'grid place-items-center -outline-offset-3')}
          onClick={load}
        >
          <Pill>
            <Sign className="size-4 shrink-0" aria-hidden="true" /> {call}
          </Pill>
        </button>
      ) : (
        <button
          type="button"
          aria-label={more > 0 ? `${description}, and ${more} more` : description}
          className={classes(fills, 'grid place-items-center -outline-offset-3')}
          onClick={view}
        >
          {isVideo && !progress && <PlaySign file={file} />}
          {loaded.state === 'loading' && file.size > 300_000 && (
            <span className="rounded-full bg-black/60 p-1 text-white">
              <Ring label={`Loading: ${description}`} part={loaded.part} />
            </span>
          )}
          {more > 0 && (
            <span className="absolute inset-0 grid place-items-center bg-black/60 text-2xl font-semibold text-white">
              +{more}
            </span>
          )}
        </button>
      )}
      {progress && (
        <span className="absolute inset-0 m-auto size-fit rounded-full bg-black/60 p-1 text-white">
          <Upload {...{ file, progress }} />
        </span>
      )}
    </div>
  )
}

const fills = 'absolute inset-0 size-full object-cover'

const Pill = ({ children }: { children: ReactNode }) => (
  <span className="flex max-w-[95%] items-center gap-1.5 rounded-full bg-black/70 px-3 py-1.5 text-sm font-medium text-white">
    {children}
  </span>
)

function PlaySign({ file: { duration } }: { file: ShownFile }) {
  return (
    <>
      <span className="grid size-14 place-items-center rounded-full bg-black/60 text-white">
        <Play className="ms-0.5 size-7 fill-current" aria-hidden="true" />
      </span>
      {duration !== undefined && (
        <span className="absolute start-2 top-2 rounded-full bg-black/60 px-2 py-0.5 text-xs text-white tabular-nums">
          {lengthText(duration / 1000)}
        </span>
      )}
    </>
  )
}

function problemOf(loaded: Loaded, shown: string): { problem: string; isLasting: boolean } | undefined {
  if (loaded.state === 'failed') return loaded
  return shown === 'broken' ? { problem: 'Can’t show this picture.', isLasting: true } : undefined
}

interface ProblemProps {
  problem: string
  isLasting: boolean
  description: string
  onRetry: () => void
}

function Problem({ problem, isLasting, description, onRetry }: ProblemProps) {
  return (
    <div className="absolute inset-0 grid content-center justify-items-center gap-1.5 bg-raised/90 p-3 text-center text-sm text-ink">
      <ImageOff className="size-6 text-muted" aria-hidden="true" />
      <span className="sr-only">{description}. </span>
      <span className="text-pretty">{problem}</span>
      {!isLasting && (
        <button type="button" className="min-h-8 px-2 font-semibold text-accent underline" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}
