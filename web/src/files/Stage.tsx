import { Download, ImageOff } from 'lucide-react'
import { useState } from 'react'
import { kindOf } from '@parley/sdk/files/kinds.ts'
import { sizeText } from './size-text.ts'
import { loadsByItself } from './by-itself.ts'
import { usePlaceholder } from './placeholder.ts'
import { Ring } from './Ring.tsx'
import { usePlayed } from './use-played.ts'
import type { Viewed } from './viewed.ts'
import { describe } from './words.ts'

interface Props extends Viewed {
  view: { scale: number; x: number; y: number }
  /** The reader has chosen it, so it is loaded whatever its size is. */
  isWanted: boolean
}

/** Shows one picture or video in the room that there is. */
export function Stage({ file, message, view: { scale, x, y }, isWanted }: Props) {
  const isVideo = kindOf(file) === 'video'
  const word = isVideo ? 'video' : 'picture'
  const [loaded, load, loadWhole] = usePlayed(file, isWanted || loadsByItself(file, message))
  const [isBroken, setBroken] = useState(false)
  const placeholder = usePlaceholder(file, message.mine || message.linksOff !== true)
  const description = describe(file, message)
  const problem =
    loaded.state === 'failed'
      ? loaded.problem
      : isBroken && `Can’t ${isVideo ? 'play' : 'open'} this ${word}.`
  if (problem)
    return (
      <div
        role="alert"
        className="absolute inset-0 grid content-center justify-items-center gap-3 p-6 text-center"
      >
        <ImageOff className="size-8 text-white/75" aria-hidden="true" />
        <p className="text-pretty">{problem}</p>
        {loaded.state === 'failed' && !loaded.isLasting && (
          <button type="button" className="min-h-11 px-3 font-semibold underline" onClick={load}>
            Try again
          </button>
        )}
      </div>
    )
  if (isVideo && (loaded.state === 'plays' || loaded.state === 'here'))
    return (
      // What is said in it is known to its sender alone.
      // oxlint-disable-next-line jsx-a11y/media-has-caption
      <video
        controls
        autoPlay={isWanted}
        playsInline
        src={loaded.url}
        aria-label={description}
        className="absolute inset-0 size-full object-contain"
        onError={() => loadWhole() || setBroken(true)}
      />
    )
  if (loaded.state === 'here')
    return (
      <img
        src={loaded.url}
        alt={description}
        draggable={false}
        className="absolute inset-0 size-full object-contain"
        style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}
        onError={() => setBroken(true)}
      />
    )
  return (
    <>
      {placeholder && (
        <img
          src={placeholder}
          alt=""
          className="absolute inset-0 size-full object-contain opacity-50 blur-md"
        />
      )}
      <div className="absolute inset-0 grid place-items-center">
        {loaded.state === 'loading' ? (
          <Ring label={`Loading: ${description}`} part={loaded.part} />
        ) : (
          <button
            type="button"
            className="flex min-h-11 items-center gap-2 rounded-full bg-white/15 px-4 font-medium hover:bg-white/25"
            onClick={load}
          >
            <Download className="size-4.5" aria-hidden="true" /> Load {word} ({sizeText(file.size)})
          </button>
        )}
      </div>
    </>
  )
}
