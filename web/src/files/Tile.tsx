import { FileText, X } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, useEffect, useState } from 'react'
import { classes } from '../ui/classes.ts'
import { Spinner } from '../ui/Spinner.tsx'
import type { DraftFile } from './draft-file.ts'
import { sizeText } from './size-text.ts'

interface Props {
  file: DraftFile
  /** It cannot be sent, because of this. */
  why: string | undefined
  isDescribed: boolean
  onDescribe: () => void
  onRemove: () => void
  /** Moves it by a number of places. */
  onMove: (by: number) => void
  dragging: Dragging
}

interface Dragging {
  isDragged: boolean
  onStart: () => void
  /** Another one is dragged over it. */
  onOver: () => void
  onEnd: () => void
}

/** Shows a file that is chosen. Control and an arrow key move it, and so does dragging it. */
export function Tile({ file, why, isDescribed, onDescribe, onRemove, onMove, dragging }: Props) {
  const { given, prepared, alt } = file
  const name = prepared?.name ?? given.name
  const size = sizeText((prepared?.file ?? given).size)
  const isPicture = prepared?.thumbhash !== undefined
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!by || !event.ctrlKey) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <li
      className={classes('relative w-20 shrink-0 cursor-grab', dragging.isDragged && 'opacity-50')}
      onKeyDown={onKey}
      {...handlersOf(dragging)}
    >
      <div
        title={why ?? name}
        className={classes(
          'grid size-20 place-items-center overflow-hidden rounded-xl border bg-sunken text-xs',
          why ? 'border-danger bg-danger-soft text-danger' : 'border-line',
        )}
      >
        {!prepared ? (
          <Spinner label={`Preparing ${name}`} />
        ) : isPicture ? (
          <Picture file={prepared.file} name={name} isFaint={why !== undefined} />
        ) : (
          <span className="grid justify-items-center gap-0.5 p-1 text-center">
            <FileText className="size-5" aria-hidden="true" />
            <bdi className="line-clamp-2 leading-tight wrap-anywhere">{name}</bdi>
            <span className={why ? '' : 'text-muted'}>{size}</span>
          </span>
        )}
      </div>
      <button
        type="button"
        aria-label={`Remove ${name}`}
        title={`Remove ${name}`}
        onClick={onRemove}
        className="absolute -end-2 -top-2 grid size-6 place-items-center rounded-full border border-line bg-raised text-ink before:absolute before:-inset-2.5 hover:bg-hover"
      >
        <X className="size-3.5" aria-hidden="true" />
      </button>
      {why ? (
        <p className="pt-1 text-xs leading-tight text-danger">Too large</p>
      ) : (
        prepared?.type.startsWith('image/') && (
          <button
            type="button"
            aria-expanded={isDescribed}
            aria-label={alt ? `${alt}: change the description of ${name}` : `Describe ${name}`}
            onClick={onDescribe}
            className={classes(
              'w-full truncate pt-1 text-xs underline-offset-2 hover:underline pointer-coarse:min-h-11',
              alt ? 'font-semibold text-channel' : 'text-muted',
            )}
          >
            {alt || 'Describe'}
          </button>
        )
      )}
    </li>
  )
}

/** What is dragged here from elsewhere has another type, and is not taken. */
const dragType = 'application/x-parley-tile'

const handlersOf = ({ onStart, onOver, onEnd }: Dragging) => ({
  draggable: true,
  onDragStart: ({ dataTransfer }: DragEvent) => {
    dataTransfer.effectAllowed = 'move'
    // Firefox drags nothing without data.
    dataTransfer.setData(dragType, '')
    onStart()
  },
  onDragEnter: onOver,
  onDragOver: (event: DragEvent) => {
    if (event.dataTransfer.types.includes(dragType)) event.preventDefault()
  },
  onDrop: (event: DragEvent) => {
    if (event.dataTransfer.types.includes(dragType)) event.preventDefault()
  },
  onDragEnd: onEnd,
})

function Picture({ file, name, isFaint }: { file: Blob; name: string; isFaint: boolean }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return (
    url && (
      <img
        src={url}
        alt={name}
        draggable={false}
        className={classes('size-20 object-cover', isFaint && 'opacity-40')}
      />
    )
  )
}
