import { ArrowDownToLine } from 'lucide-react'
import { nameToSave } from './names.ts'
import { save } from './save.ts'
import type { ShownFile } from './shown.ts'

/** Saves a file; `facts` are what its label says beside the name. */
export const SaveButton = ({ file, facts }: { file: ShownFile; facts: string }) => (
  <button
    type="button"
    aria-label={`Save ${nameToSave(file)}, ${facts}`}
    title="Save"
    className="grid size-10 shrink-0 place-items-center rounded-full hover:bg-current/12 pointer-coarse:size-11"
    onClick={() => save(file)}
  >
    <ArrowDownToLine className="size-5" aria-hidden="true" />
  </button>
)
