import { classes } from '../ui/classes.ts'
import { pictureUrl } from './picture.ts'
import { Seal } from './Seal.tsx'

interface Props {
  /** The seal of this address or name is shown when there is no picture. */
  seed: string
  /** The picture is base64 or a data URL. */
  picture?: string | undefined
  size?: 'small' | 'medium' | 'large' | 'huge' | 'card'
  /** Group chats are squares with round corners, people are circles. */
  square?: boolean
}

const sizes = { small: 'size-7', medium: 'size-10', large: 'size-12', huge: 'size-24', card: 'size-32' }

/** Shows the picture of a wallet or chat. Screen readers skip it, because the name is beside it. */
export function Avatar({ seed, picture, size = 'medium', square = false }: Props) {
  const url = pictureUrl(picture)
  return (
    <span
      className={classes(
        'block shrink-0 overflow-hidden bg-sunken select-none',
        sizes[size],
        square ? (size === 'huge' ? 'rounded-3xl' : 'rounded-xl') : 'rounded-full',
      )}
    >
      {url ? (
        <img src={url} alt="" className="size-full object-cover" draggable={false} />
      ) : (
        <Seal seed={seed} square={square} />
      )}
    </span>
  )
}
