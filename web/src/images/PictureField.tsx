import { Camera } from 'lucide-react'
import { useRef, useState } from 'react'
import { cache, client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { usePicture } from '../names/profile.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { toProfilePicture } from './resize.ts'

/** Shows the picture of a wallet or community, and a button to choose another. */
export function PictureField({ address, square = false }: { address: string; square?: boolean }) {
  const picture = usePicture(address)
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const change = async (to: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await to()
      await cache.invalidateQueries({ queryKey: ['getPicture'] })
      for (const name of ['getInbox', 'getCommunity']) void cache.invalidateQueries({ queryKey: [name] })
    } catch (error) {
      setProblem(describeError(error))
    }
    setBusy(false)
  }
  const upload = (file: File) =>
    change(async () => {
      const base64data = await toProfilePicture(file)
      await client.createProfilePicture({ body: { addr: address, base64data } })
    })
  return (
    <div className="flex items-center gap-4">
      <Avatar seed={address} picture={picture} size="huge" square={square} />
      <div className="grid gap-2">
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          aria-label="Picture file"
          onChange={(event) => {
            const file = event.target.files?.[0]
            event.target.value = ''
            if (file) void upload(file)
          }}
        />
        <div className="flex flex-wrap gap-2">
          <Button busy={busy} onClick={() => input.current!.click()}>
            <Camera className="size-4" aria-hidden="true" /> Choose a picture
          </Button>
          {picture && (
            <Button
              variant="quiet"
              busy={busy}
              onClick={() => void change(() => client.deleteImage({ addr: address }))}
            >
              Remove
            </Button>
          )}
        </div>
        <p role={problem && 'alert'} className={problem ? 'text-sm text-danger' : 'text-sm text-muted'}>
          {problem ?? 'Cropped to a square.'}
        </p>
      </div>
    </div>
  )
}
