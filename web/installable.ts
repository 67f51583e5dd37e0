// What makes the client an app that a device installs: its manifest, and icons of several sizes, which are
// drawn from favicon.svg at the build.

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import type { Plugin } from 'vite'

const favicon = path.join(import.meta.dirname, 'src/favicon.svg')
/** The background of the icons, and of the screen that is shown while the app starts. */
const background = '#ffffff'

interface Icon {
  size: number
  /** How much of the side the drawing takes. What is outside of 0.8 of a maskable icon may be cut off. */
  part: number
  /** How round the corners of the background are, as part of the side. No background when left out. */
  round?: number
  /** The one colour of the drawing. */
  colour?: string
}

const icons = {
  'icon-192': { size: 192, part: 0.72, round: 0.22 },
  'icon-512': { size: 512, part: 0.72, round: 0.22 },
  'maskable-512': { size: 512, part: 0.56, round: 0 },
  'apple-touch': { size: 180, part: 0.68, round: 0 },
  /** At the top of an Android phone: only what is not transparent counts. */
  badge: { size: 96, part: 0.9, colour: '#ffffff' },
} satisfies Record<string, Icon>
type Name = keyof typeof icons

async function draw(svg: string, { size, part, round, colour }: Icon): Promise<Buffer> {
  const side = Math.round(size * part)
  const edge = Math.round((size - side) / 2)
  const coloured = colour === undefined ? svg : svg.replaceAll(/fill="[^"]*"/g, `fill="${colour}"`)
  const drawing = coloured.replace('<svg ', `<svg x="${edge}" y="${edge}" width="${side}" height="${side}" `)
  const ground =
    round === undefined
      ? ''
      : `<rect width="${size}" height="${size}" rx="${size * round}" fill="${background}"/>`
  const whole = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${ground}${drawing}</svg>`
  return sharp(Buffer.from(whole)).png({ compressionLevel: 9 }).toBuffer()
}

const manifest = (fileOf: (name: Name) => string) => ({
  id: '/',
  name: 'Parley',
  short_name: 'Parley',
  description: 'Messaging where your wallet is your name',
  lang: 'en',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  theme_color: background,
  background_color: background,
  categories: ['social'],
  icons: [
    { src: fileOf('icon-192'), sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: fileOf('icon-512'), sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: fileOf('maskable-512'), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  // web/src/worker/share.ts takes it, web/src/share/SharePage.tsx shows it.
  share_target: {
    action: '/share',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'files', accept: ['*/*'] }] },
  },
})

/** Adds the manifest, the icons, and what the page says of them. */
export function installable(): Plugin {
  const references = new Map<Name, string>()
  return {
    name: 'installable',
    apply: 'build',
    async buildStart() {
      const svg = await readFile(favicon, 'utf8')
      for (const name of Object.keys(icons) as Name[]) {
        const source = await draw(svg, icons[name])
        references.set(name, this.emitFile({ type: 'asset', name: `${name}.png`, source }))
      }
    },
    generateBundle() {
      const fileOf = (name: Name) => `/${this.getFileName(references.get(name)!)}`
      const source = JSON.stringify(manifest(fileOf), undefined, 2)
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (page, { bundle = {} }) => {
        const icon = Object.keys(bundle).find((file) => /\/apple-touch-[^/]*\.png$/.test(file))
        const links = `<link rel="manifest" href="/manifest.webmanifest" />\n    <link rel="apple-touch-icon" href="/${icon}" />`
        return page.replace('<title>', () => `${links}\n    <title>`)
      },
    },
  }
}
