import { useState } from 'react'
import type { DraftFile } from './draft-file.ts'
import { moveDraftFile, removeDraftFile, setCompressing, useCompressing } from './draft-files.ts'
import { Description } from './Description.tsx'
import { sizeText } from './size-text.ts'
import { Tile } from './Tile.tsx'
import { whyNot } from './why-not.ts'

interface Props {
  /** This names the draft. */
  draft: string
  files: DraftFile[]
  most: number
  isSealed: boolean
}

/** Shows the files that the message will have, above its field. */
export function Tray({ draft, files, most, isSealed }: Props) {
  const [said, setSaid] = useState('')
  const [describedId, setDescribed] = useState<string>()
  const described = files.find(({ id }) => id === describedId)
  const [draggedId, setDragged] = useState<string>()
  const isCompressing = useCompressing()
  const pictures = files.filter(({ prepared }) => prepared?.data === 'drawn')
  const kept = files.filter(({ prepared }) => prepared?.data === 'kept')
  const remove = ({ id, given, prepared }: DraftFile) => {
    removeDraftFile(draft, id)
    const left = files.length - 1
    setSaid(`${prepared?.name ?? given.name} removed, ${left === 0 ? 'none' : left} left`)
  }
  const move = ({ id, given, prepared }: DraftFile, from: number, by: number) => {
    const to = Math.min(Math.max(from + by, 0), files.length - 1)
    if (to === from) return
    moveDraftFile(draft, id, to - from)
    setSaid(`${prepared?.name ?? given.name}: ${to + 1} of ${files.length}`)
  }
  const dragOver = (to: number) => {
    const from = files.findIndex(({ id }) => id === draggedId)
    if (from >= 0) move(files[from]!, from, to - from)
  }
  return (
    <section aria-label={`Attachments, ${files.length}`} className="pb-2">
      <ul className="scroll-calm -mx-1 flex gap-2 overflow-x-auto px-1 pt-3 pb-1">
        {files.map((file, at) => (
          <Tile
            key={file.id}
            file={file}
            why={whyNot(file, { most, isSealed })}
            isDescribed={file.id === describedId}
            onDescribe={() => setDescribed(file.id === describedId ? undefined : file.id)}
            onRemove={() => remove(file)}
            onMove={(by) => move(file, at, by)}
            dragging={{
              isDragged: file.id === draggedId,
              onStart: () => setDragged(file.id),
              onOver: () => dragOver(at),
              onEnd: () => setDragged(undefined),
            }}
          />
        ))}
      </ul>
      {described && <Description draft={draft} file={described} onDone={() => setDescribed(undefined)} />}
      <div className="flex flex-wrap items-center gap-x-3 text-xs text-muted">
        <span>{summary(files)}</span>
        {pictures.length > 0 && (
          <label className="inline-flex min-h-6 items-center gap-1.5 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              checked={isCompressing}
              onChange={({ currentTarget }) => setCompressing(currentTarget.checked)}
              className="accent-channel"
            />
            Compress pictures
          </label>
        )}
        {pictures.length > 0 && (
          <span>{pictures.length === 1 ? 'Its metadata is removed.' : 'Their metadata is removed.'}</span>
        )}
      </div>
      {kept.length > 0 && (
        <p role="status" className="pt-1 text-xs text-pretty text-warn wrap-anywhere">
          {kept.map(({ prepared }) => prepared!.name).join(', ')}: {kept.length === 1 ? 'it is' : 'they are'}{' '}
          sent unchanged, with what the camera stored, such as the place.
        </p>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </section>
  )
}

function summary(files: DraftFile[]): string {
  const total = files.reduce((sum, { prepared, given }) => sum + (prepared?.file ?? given).size, 0)
  return `${files.length === 1 ? '1 file' : `${files.length} files`} · ${sizeText(total)}`
}
