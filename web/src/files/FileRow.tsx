import { File, FileArchive, FileCode, FileText, ShieldAlert } from 'lucide-react'
import { FileName } from './FileName.tsx'
import { useLoaded } from './kept.ts'
import { LoadProblem } from './LoadProblem.tsx'
import { endingOf, factsOf, mayRun, nameToSave } from './names.ts'
import { useProgress } from './progress.ts'
import { Ring } from './Ring.tsx'
import { SaveButton } from './SaveButton.tsx'
import type { ShownFile } from './shown.ts'
import { Upload } from './Upload.tsx'

/** Shows a file that is no picture, video or sound: it can be saved. */
export function FileRow({ file }: { file: ShownFile }) {
  const [loaded] = useLoaded(file, false)
  const progress = useProgress(file.waiting ?? '')
  const name = nameToSave(file)
  return (
    <div className="grid w-72 max-w-full grid-cols-1">
      <div className="flex h-14 items-center gap-3">
        <span className="grid size-10 shrink-0 place-items-center rounded-lg bg-current/12">
          <Sign file={file} />
        </span>
        <span className="min-w-0 flex-1 leading-tight">
          <span className="block font-medium">
            <FileName name={name} />
          </span>
          <span className="block truncate text-sm opacity-85">{factsOf(file)}</span>
        </span>
        {progress ? (
          <Upload {...{ file, progress }} />
        ) : loaded.state === 'loading' ? (
          <Ring label={`Loading ${name}`} part={loaded.part} />
        ) : (
          <SaveButton file={file} facts={factsOf(file)} />
        )}
      </div>
      <LoadProblem loaded={loaded} />
    </div>
  )
}

const archives = new Set(['zip', '7z', 'rar', 'gz', 'tar', 'xz', 'bz2', 'zst'])
const texts = new Set(['pdf', 'txt', 'md', 'doc', 'docx', 'odt', 'pages', 'epub', 'csv', 'xls', 'xlsx'])
const codes = new Set(['json', 'ts', 'tsx', 'c', 'h', 'cpp', 'rs', 'go', 'sol', 'css', 'yaml', 'toml'])

function Sign({ file }: { file: ShownFile }) {
  const ending = endingOf(file.name)
  const Icon = mayRun(file)
    ? ShieldAlert
    : archives.has(ending)
      ? FileArchive
      : texts.has(ending)
        ? FileText
        : codes.has(ending)
          ? FileCode
          : File
  return <Icon className="size-5" aria-hidden="true" />
}
