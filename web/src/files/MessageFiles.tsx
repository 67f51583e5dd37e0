import type { ComponentProps } from 'react'
import type { FileParts } from '../messages/file-parts.tsx'
import { unreadableText } from '../messages/said.ts'
import { classes } from '../ui/classes.ts'
import { isMedia } from './kinds.ts'
import { OtherFile } from './OtherFile.tsx'
import { Pictures } from './Pictures.tsx'

/** Shows the files of a message above its text. Where it has no other text, `meta` is its time. */
export function MessageFiles({ message, meta }: ComponentProps<FileParts['Files']>) {
  const { files = [], unreadableFiles = 0 } = message
  const media = files.filter(isMedia)
  const others = files.filter((file) => !isMedia(file))
  const isBare = media.length > 0 && others.length === 0 && unreadableFiles === 0
  return (
    <div className={classes('relative grid grid-cols-1 gap-1', media.length > 0 && '-mx-2.5')}>
      {media.length > 0 && <Pictures files={media} message={message} />}
      {others.length > 0 && (
        <div className={classes('grid grid-cols-1', media.length > 0 && 'px-2.5')}>
          {others.map((file) => (
            <OtherFile key={file.key} file={file} />
          ))}
        </div>
      )}
      {unreadableFiles > 0 && (
        <em className={classes('block text-sm', media.length > 0 && 'px-2.5')}>
          {unreadableText(unreadableFiles)}
        </em>
      )}
      {meta && (isBare ? meta(overPicture) : <span className="flex justify-end">{meta('')}</span>)}
    </div>
  )
}

const overPicture =
  'absolute end-2 bottom-2 h-5.5 rounded-full bg-black/60 px-2 text-white pointer-events-none [&_button]:pointer-events-auto'
