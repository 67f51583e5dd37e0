import { newIdempotencyKey } from '@parley/sdk'
import { withoutUnseen } from '@parley/sdk/unseen'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { type GivenFiles, refusesFiles, takesFiles } from '../messages/given-files.ts'
import { useServiceInfo } from '../service/info.ts'
import { useMe } from '../service/session.ts'
import { draftKey } from '../thread/drafts.ts'
import type { Upload } from '../thread/uploads.ts'
import { addFiles } from './add-files.ts'
import { AddFiles } from './AddFiles.tsx'
import type { DraftFile } from './draft-file.ts'
import { addRecorded, clearDraftFiles, draftFiles, useDraftFiles } from './draft-files.ts'
import { DropCover } from './DropCover.tsx'
import { mayRecord } from './may-record.ts'
import { textOfFiles } from './text.ts'
import { keepWaiting } from './waiting-files.ts'
import { whyNot } from './why-not.ts'

const VoiceNote = lazy(async () => ({ default: (await import('./VoiceNote.tsx')).VoiceNote }))
const Tray = lazy(async () => ({ default: (await import('./Tray.tsx')).Tray }))

interface Options {
  thread: string
  /** The people who get the files. */
  to: string
  isSealed: boolean
  /** This says why files cannot be sent here now. */
  refusal?: string | undefined
}

/** What an entry of the outbox has of the files of its message. */
interface Taken {
  id: string
  uploads: Upload[]
}

interface Files {
  given: GivenFiles
  /** Takes the files out of the draft, for a message that is sent with a text: their names where that is empty. */
  take: (text: string) => { text: string; taken: Taken | undefined }
}

/** Returns what a thread does with files that are given for the message that is being written. */
export function useFiles({ thread, to, isSealed, refusal }: Options): Files {
  const key = draftKey(useMe(), thread)
  // Until that is known, and without a connection, nothing is refused here.
  const most = useServiceInfo()?.file_bytes ?? Infinity
  const files = useDraftFiles(key)
  const [isOver, setOver] = useState(false)
  const [isRecording, setRecording] = useState(false)
  const why = most === 0 ? `${location.host} takes no files.` : refusal
  const handlers = useMemo(() => takesFiles((some) => addFiles(key, some), setOver), [key])
  if (why !== undefined) return { given: refusesFiles(why), take: (text) => ({ text, taken: undefined }) }
  const limits = { most, isSealed }
  const tray: ReactNode = files.length > 0 && (
    <Suspense fallback={<div className="h-36" />}>
      <Tray {...{ draft: key, files, ...limits }} />
    </Suspense>
  )
  return {
    given: {
      handlers,
      cover: isOver && <DropCover {...{ to, isSealed }} />,
      attaching: {
        button: (
          <AddFiles
            onAdd={(some) => addFiles(key, some)}
            onRecord={mayRecord() && files.length === 0 ? () => setRecording(true) : undefined}
          />
        ),
        recorder: isRecording
          ? (onRecorded) => (
              <Suspense fallback={<div className="h-11" />}>
                <VoiceNote
                  onCancel={() => setRecording(false)}
                  onRecorded={(file, prepared) => {
                    setRecording(false)
                    addRecorded(key, file, prepared)
                    onRecorded()
                  }}
                />
              </Suspense>
            )
          : undefined,
        tray,
        hasFiles: files.length > 0,
        isPreparing: files.some(({ prepared }) => !prepared),
        why: files.map((file) => whyNot(file, limits)).find((one) => one !== undefined),
      },
    },
    take: (text) => takeFiles(key, text),
  }
}

function takeFiles(key: string, text: string): { text: string; taken: Taken | undefined } {
  const files = draftFiles(key)
  if (files.length === 0) return { text, taken: undefined }
  const id = newIdempotencyKey()
  const all = files.map((file, n) => uploadOf(file, `${id} ${n}`))
  clearDraftFiles(key)
  // The entry is stored first: what no entry has is deleted.
  queueMicrotask(() => void keepWaiting(all.map(({ upload, waiting }) => [upload.key, waiting])))
  const uploads = all.map(({ upload }) => upload)
  return { text: text || textOfFiles(uploads.map(({ name }) => name)), taken: { id, uploads } }
}

function uploadOf({ prepared, alt }: DraftFile, key: string) {
  const said = withoutUnseen(alt).trim()
  const { file, name, type, width, height, duration, wave, thumbhash, preview, secret } = prepared!
  const upload: Upload = {
    key,
    name,
    type,
    size: file.size,
    ...(width && height && { width, height }),
    ...(wave && { duration, wave }),
    ...(thumbhash && { thumbhash }),
    ...(said && { alt: said }),
    request: newIdempotencyKey(),
    secret,
  }
  return { upload, waiting: { file, preview } }
}
