import { classes } from '../../ui/classes.ts'
import { chooseTone, tones, toneWords, useTone, withTone } from './tones.ts'

/** Shows the name of the chosen emoji, and the skin tones beside it. */
export function ToneChoice({ name }: { name: string }) {
  const tone = useTone()
  return (
    <div className="flex items-center gap-2 border-t border-line pt-2">
      <p
        aria-hidden="true"
        className="min-w-0 flex-1 truncate ps-1.5 text-sm text-muted first-letter:uppercase"
      >
        {name}
      </p>
      <div role="group" aria-label="Skin tone" className="flex">
        {tones.map((one, n) => (
          <button
            key={one}
            type="button"
            aria-label={`Skin tone: ${toneWords[n]}`}
            aria-pressed={one === tone}
            title={`Skin tone: ${toneWords[n]}`}
            onClick={() => chooseTone(one)}
            className={classes(
              'grid size-7 place-items-center rounded-lg text-base leading-none hover:bg-hover pointer-coarse:size-10',
              one === tone && 'bg-selected outline outline-line-strong',
            )}
          >
            {withTone('✋', one)}
          </button>
        ))}
      </div>
    </div>
  )
}
