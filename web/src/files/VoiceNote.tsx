import { SendHorizontal, Trash2 } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { showNotice } from '../state/notice.ts'
import { IconButton } from '../ui/IconButton.tsx'
import type { DraftFile } from './draft-file.ts'
import { prepareRecorded } from './prepare.ts'
import { record, type Recording } from './recording.ts'

interface Props {
  onRecorded: (file: File, prepared: NonNullable<DraftFile['prepared']>) => void
  onCancel: () => void
}

/** Takes the place of the field while a voice note is recorded. */
export function VoiceNote({ onRecorded, onCancel }: Props) {
  const recording = useRecording(onCancel)
  const [now, setNow] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100)
    return () => clearInterval(timer)
  }, [])
  const send = async () => {
    if (!recording) return
    const recorded = await recording.stop()
    onRecorded(recorded.file, prepareRecorded(recorded))
  }
  const seconds = recording ? Math.max(0, Math.floor((now - recording.began) / 1000)) : 0
  return (
    <fieldset
      aria-label="Voice note"
      className="flex items-center gap-2"
      onKeyDown={({ key }) => key === 'Escape' && onCancel()}
    >
      <IconButton label="Delete the voice note" onClick={onCancel} className="size-11!">
        <Trash2 className="size-5" aria-hidden="true" />
      </IconButton>
      <p role="status" className="sr-only">
        {recording ? 'Recording a voice note' : 'Waiting for the microphone'}
      </p>
      <span className="size-2.5 shrink-0 rounded-full bg-danger" aria-hidden="true" />
      <span className="w-10 shrink-0 text-sm tabular-nums">
        {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
      </span>
      <Levels levels={recording?.levels ?? []} />
      <button
        type="button"
        ref={focus}
        aria-label="Send the voice note"
        title="Send the voice note"
        onClick={() => void send()}
        className="grid size-11 shrink-0 place-items-center rounded-full bg-channel text-on-channel hover:bg-channel-strong"
      >
        <SendHorizontal className="size-5" aria-hidden="true" />
      </button>
    </fieldset>
  )
}

const focus = (button: HTMLButtonElement | null) => button?.focus()

/** This number of bars is shown: those of the last seconds. */
const most = 60

const Levels = ({ levels }: { levels: number[] }) => {
  const shown = levels.slice(-most)
  return (
    <svg
      viewBox={`0 0 ${most * 3} 24`}
      preserveAspectRatio="xMinYMid"
      className="h-6 min-w-0 flex-1 text-channel"
      aria-hidden="true"
    >
      {shown.map((level, i) => {
        const height = Math.max(2, level * 24)
        const at = levels.length - shown.length + i
        return (
          <rect key={at} x={i * 3} y={12 - height / 2} width={2} height={height} rx={1} fill="currentcolor" />
        )
      })}
    </svg>
  )
}

/** Records until the component is gone. */
function useRecording(onFailure: () => void): Recording | undefined {
  const [recording, setRecording] = useState<Recording>()
  const fail = useEffectEvent((error: unknown) => {
    showNotice(explain(error))
    onFailure()
  })
  useEffect(() => {
    let isOver = false
    let begun: Recording | undefined
    const begin = async () => {
      begun = await record()
      if (isOver) begun.cancel()
      else setRecording(begun)
    }
    begin().catch(fail)
    return () => {
      isOver = true
      begun?.cancel()
    }
  }, [])
  return recording
}

const explain = (error: unknown): string =>
  error instanceof DOMException && error.name === 'NotAllowedError'
    ? 'Let this page use the microphone, then try again.'
    : 'No microphone was found.'
