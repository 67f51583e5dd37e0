import { partsOfName } from './names.ts'

/** Shows the name of a file. Where there is no room, its middle is cut, and its ending is always there. */
export function FileName({ name }: { name: string }) {
  const [start, end] = partsOfName(name)
  return (
    <span className="flex min-w-0" title={start + end}>
      <bdi className="overflow-hidden text-ellipsis whitespace-pre">{start}</bdi>
      <bdi dir="ltr" className="shrink-0 whitespace-pre">
        {end}
      </bdi>
    </span>
  )
}
