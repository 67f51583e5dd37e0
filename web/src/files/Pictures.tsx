import type { Message } from '../messages/message.ts'
import { saidOfFiles } from '../messages/said.ts'
import { classes } from '../ui/classes.ts'
import { boxOf, gridOf, mostInGrid } from './boxes.ts'
import { PictureBox } from './PictureBox.tsx'
import type { ShownFile } from './shown.ts'

/** Shows one picture or video in its shape, several in a grid. */
export function Pictures({ files, message }: { files: ShownFile[]; message: Message }) {
  const shown = files.slice(0, mostInGrid)
  const { width, height } =
    files.length === 1 ? boxOf(files[0]!, saidOfFiles(message) === undefined) : gridOf(files.length)
  return (
    <div className="max-w-full" style={{ width }}>
      <div
        className={classes(
          'relative grid w-full gap-0.5 overflow-hidden rounded-xl',
          shown.length > 1 && 'grid-cols-2',
          shown.length > 2 && 'grid-rows-2',
        )}
        style={{ aspectRatio: `${width} / ${height}` }}
      >
        {shown.map((file, n) => (
          <div key={file.key} className={classes('relative', shown.length === 3 && n === 0 && 'row-span-2')}>
            <PictureBox
              file={file}
              message={message}
              more={n === mostInGrid - 1 ? files.length - mostInGrid : 0}
            />
          </div>
        ))}
      </div>
    </div>
  )
}
