/** What a picture says of itself, read from its container before anything is decoded. */
export interface Container {
  /** The media type. */
  type: string
  /** Of the picture, and of each of its frames: the largest. */
  width: number
  height: number
  frames: number
  /** Bytes of texts, profiles, EXIF, XMP and whatever else is no picture. */
  metadata: number
  /** Where the picture ends. */
  end: number
}
