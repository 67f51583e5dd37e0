import { CirclePause, CirclePlay, CircleX } from 'lucide-react'
import type { Message } from '../messages/message.ts'
import { MenuItem, MenuLine } from '../ui/Menu.tsx'
import { cancelUpload, pauseUpload, resumeUpload, useProgress } from './progress.ts'
import type { ShownFile } from './shown.ts'

/** Lists what one does with the files of a message that are not uploaded yet. */
export function UploadItems({ message: { files } }: { message: Message }) {
  const waiting = files?.filter((file) => file.waiting !== undefined) ?? []
  const [first] = waiting
  return (
    first && (
      <>
        <Pause file={first} />
        {waiting.map((file) => (
          <Cancel key={file.key} file={file} isOnly={waiting.length === 1} />
        ))}
        <MenuLine />
      </>
    )
  )
}

function Pause({ file: { key } }: { file: ShownFile }) {
  const progress = useProgress(key)
  if (!progress || progress.state === 'failed') return null
  return progress.state === 'paused' ? (
    <MenuItem icon={<CirclePlay />} onSelect={() => resumeUpload(key)}>
      Continue the upload
    </MenuItem>
  ) : (
    <MenuItem icon={<CirclePause />} onSelect={() => pauseUpload(key)}>
      Pause the upload
    </MenuItem>
  )
}

function Cancel({ file: { key, name }, isOnly }: { file: ShownFile; isOnly: boolean }) {
  return (
    <MenuItem icon={<CircleX />} danger onSelect={() => cancelUpload(key)}>
      <span className="truncate">{isOnly ? 'Cancel the upload' : `Don’t send ${name}`}</span>
    </MenuItem>
  )
}
