const side = 256

/**
 * Returns the picture as base64, cropped to a square of at most 256 pixels. Redrawing also removes the data that
 * cameras store in files, such as the place.
 */
export async function toProfilePicture(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error('Can’t read this picture. Use PNG, JPEG, WebP or GIF.')
  })
  const least = Math.min(bitmap.width, bitmap.height)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = Math.min(side, least)
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(
    bitmap,
    (bitmap.width - least) / 2,
    (bitmap.height - least) / 2,
    least,
    least,
    0,
    0,
    canvas.width,
    canvas.height,
  )
  bitmap.close()
  const url = canvas.toDataURL('image/webp', 0.88)
  return url.slice(url.indexOf(',') + 1)
}
