import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { useUnsaved } from '../service/unsaved.ts'
import { showNotice } from '../state/notice.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Modal } from '../ui/Modal.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { TextField } from '../ui/TextField.tsx'
import { isHash, readFilesAgain } from './blocked-files.ts'

interface Entered {
  sha256: string
  reason: string
}

/** Blocks a file by its hash, with a reason. */
export function BlockFileForm({ named }: { named: string }) {
  const [entered = { sha256: named, reason: '' }, enter] = useUnsaved<Entered>(`file to block ${named}`)
  const [lacks, setLacks] = useState<'hash' | 'reason'>()
  const [asking, setAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const sha256 = entered.sha256.trim().toLowerCase()
  const reason = entered.reason.trim()
  const block = useMutation({
    mutationFn: () => client.blockFile({ body: { sha256, reason } }),
    onSuccess: () => {
      showNotice('File blocked')
      enter({ sha256: '', reason: '' })
      readFilesAgain()
    },
  })
  const change = (part: Partial<Entered>) => {
    enter({ ...entered, ...part })
    setLacks(undefined)
  }
  const ask = () => {
    if (block.isPending) return
    const missing = isHash(sha256) ? (reason ? undefined : 'reason') : 'hash'
    setLacks(missing)
    if (!missing) setAsking(true)
    else form.current?.querySelector<HTMLElement>(missing === 'hash' ? 'input' : 'textarea')?.focus()
  }
  return (
    <Card title="Block a file">
      <p className="text-sm text-pretty text-muted">
        Nobody can upload a file with this hash, or open one in a message. Encrypted files can’t be blocked.
      </p>
      <form
        ref={form}
        className="grid grid-cols-1 gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          ask()
        }}
      >
        <TextField
          label="SHA-256 of the file"
          hint="64 digits and letters, as sha256sum prints them"
          error={lacks === 'hash' ? 'Enter 64 digits and letters from a to f.' : undefined}
          value={entered.sha256}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={80}
          onChange={({ target }) => change({ sha256: target.value })}
        />
        <TextArea
          label="Reason"
          hint="Only operators read this."
          rows={2}
          most={512}
          problem={lacks === 'reason' ? 'Give a reason first.' : undefined}
          value={entered.reason}
          onChange={(text) => change({ reason: text })}
        />
        <Problem error={block.error} />
        <Button type="submit" variant="danger" busy={block.isPending} className="justify-self-end">
          Block
        </Button>
      </form>
      {asking && (
        <Asking
          onClose={() => setAsking(false)}
          onYes={() => {
            setAsking(false)
            block.mutate()
          }}
        />
      )}
    </Card>
  )
}

const Asking = ({ onClose, onYes }: { onClose: () => void; onYes: () => void }) => (
  <Modal title="Block this file?" onClose={onClose}>
    <p className="text-pretty text-muted">
      It’s deleted everywhere within minutes, and nobody can bring it back. The messages stay.
    </p>
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={onClose}>Cancel</Button>
      <Button
        variant="danger"
        data-first
        // The key that has opened the question must not confirm it as well while it is held down.
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        onClick={onYes}
      >
        Block this file
      </Button>
    </div>
  </Modal>
)
