import { ShieldAlert } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { FileName } from './FileName.tsx'
import { endingOf, factsOf, hasTwoEndings, nameToSave } from './names.ts'
import { saveNow } from './save.ts'
import type { ShownFile } from './shown.ts'
import { askedToSave } from './viewed.ts'

const close = () => askedToSave.set(undefined)

/** Asks before a file is saved that can run programs. */
export function SaveDialog({ file }: { file: ShownFile }) {
  const ending = endingOf(file.name)
  return (
    <Modal title="This file can run programs" onClose={close}>
      <div className="flex items-center gap-3 rounded-xl bg-warn-soft p-3 text-warn">
        <ShieldAlert className="size-6 shrink-0" aria-hidden="true" />
        <span className="min-w-0 font-medium">
          <FileName name={nameToSave(file)} />
          <span className="block text-sm">{factsOf(file)}</span>
        </span>
      </div>
      {hasTwoEndings(file.name) && (
        <p>
          It looks like another kind of file, but it ends in <strong>.{ending}</strong>.
        </p>
      )}
      <p className="text-pretty">
        Opened, it can read and change what is on your device. Save it only if you expected it from the person
        who sent it.
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button data-first onClick={close}>
          Don’t save
        </Button>
        <Button
          variant="danger"
          onClick={() => {
            close()
            void saveNow(file)
          }}
        >
          Save anyway
        </Button>
      </div>
    </Modal>
  )
}
