import type { ChatItem, GroupChatItem } from '@parley/sdk'
import sharp from 'sharp'
import type { Service } from '../../testing/service/service.ts'
import type { Person } from './person.ts'

/** A file as Playwright gives it to a page. */
export interface Given {
  name: string
  mimeType: string
  buffer: Buffer
}

/** The camera of {@link photo} writes this into its files. */
export const camera = 'Camera of Alice'

/** A photo that says by which camera it was made, and where: 51° 30′ north. */
export async function photo(name = 'garden.jpg', width = 3000, height = 2000): Promise<Given> {
  const picture = sharp({ create: { width, height, channels: 3, background: '#3a7d44' } })
  const exif = { IFD0: { Make: camera }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }
  return { name, mimeType: 'image/jpeg', buffer: await picture.withExif(exif).jpeg().toBuffer() }
}

/** A file of some bytes that do not repeat. */
export const pdf = (name: string, size: number): Given => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * 31 + (i >> 8)) % 251)),
})

/** Chooses files by an item of the menu beside the field. */
export async function choose({ page }: Person, files: Given[], item = 'File'): Promise<void> {
  await page.getByRole('button', { name: 'Add files' }).click()
  const opened = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  await (await opened).setFiles(files)
  await page.getByRole('button', { name: `Remove ${files[0]!.name}` }).waitFor()
}

export const field = ({ page }: Person) => page.getByRole('textbox', { name: /^Message |comment$/ })

/** Sends what is chosen, with a text. */
export async function send(person: Person, text = ''): Promise<void> {
  await field(person).fill(text)
  await field(person).press('Enter')
}

/** Gives the page files as a paste or a drop does; returns whether the browser would do something else with them. */
export const give = (person: Person, kind: 'paste' | 'drop' | 'dragover', files: Given[], text = '') =>
  field(person).evaluate(
    (element, [event, all, also]) => {
      const data = new DataTransfer()
      for (const { name, mimeType, bytes } of all)
        data.items.add(new File([Uint8Array.from(bytes)], name, { type: mimeType }))
      if (also) data.setData('text/plain', also)
      const options = { bubbles: true, cancelable: true }
      return element.dispatchEvent(
        event === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent(event, { ...options, dataTransfer: data }),
      )
    },
    [kind, files.map(({ buffer, ...file }) => ({ ...file, bytes: [...buffer] })), text] as const,
  )

/** How many files wait in this browser. */
export const waiting = ({ page }: Person): Promise<number> =>
  page.evaluate(async () => {
    const name = 'parley-waiting-files'
    // Opened before it is made it would have no records.
    if (!(await indexedDB.databases()).some((one) => one.name === name)) return 0
    return new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.addEventListener('error', () => reject(opening.error!))
      opening.addEventListener('success', () => {
        const count = opening.result.transaction('files').objectStore('files').count()
        count.addEventListener('success', () => {
          opening.result.close()
          resolve(count.result)
        })
      })
    })
  })

/** The bytes of a file as the service has them. */
export async function storedBytes(service: Service, reader: string, file: string): Promise<Buffer> {
  const stream = await (await service.as(reader)).getFile({ file })
  return Buffer.from(await new Response(stream).arrayBuffer())
}

type Item = ChatItem | GroupChatItem
export const filesOf = (items: Item[], at = -1) => items.at(at)?.files ?? []

/** What the page asks of the service about files, in order: `POST`, and the offsets of parts. */
export function watchUploads({ page }: Person): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (!pathname.startsWith('/v1/files')) return
    asked.push(request.method() === 'PUT' ? `part ${searchParams.get('offset')}` : request.method())
  })
  return asked
}
