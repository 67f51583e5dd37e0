import type { Locator } from 'playwright-core'
import decodeQr from 'qr/decode.js'
import sharp from 'sharp'

/** Returns the text of a QR code on the page, as a camera reads it. */
export async function readQr(code: Locator): Promise<string> {
  const { data, info } = await sharp(await code.screenshot({ scale: 'css' }))
    .resize(600)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decodeQr({ ...info, data })
}
