/** Describes a picture, as its container says before anything is decoded. */
export interface Container {
  /** This is the media type. */
  type: string
  /** This is the size of the picture, or of its largest frame. */
  width: number
  height: number
  frames: number
  /** Counts bytes of texts, profiles, EXIF, XMP and everything else that is no picture. */
  metadata: number
  /** The picture ends here. */
  end: number
}
