import { classes } from '../ui/classes.ts'
import { Seal } from '../seal/Seal.tsx'

interface Props {
  url: string | undefined
  /** The seal of its contract replaces a missing picture, as in its chat. */
  nftaddr: string
  className: string
}

/** Shows the picture of a token. The name is beside it, so screen readers skip it. */
export const NftPicture = ({ url, nftaddr, className }: Props) => (
  <span className={classes('block shrink-0 overflow-hidden bg-sunken', className)} aria-hidden="true">
    {url ? (
      <img src={url} alt="" className="size-full object-cover" draggable={false} />
    ) : (
      <Seal seed={nftaddr} square />
    )}
  </span>
)
