import { Camera } from 'lucide-react'
import { useRef, useState } from 'react'
import { cache, client, describeError } from '../service/api.ts'
import { useProfile } from '../names/profile.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { toProfilePicture } from './resize.ts'

/** Shows the picture of a wallet or community, and a button to choose another. */
export function PictureField({ address, square = false }: { address: string; square?: boolean }) {
  const { picture } = useProfile(address)
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const upload = async (file: File) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const base64data = await toProfilePicture(file)
      await client.createProfilePicture({ body: { addr: address, base64data } })
      await cache.invalidateQueries({ queryKey: ['getPicture'] })
      void cache.invalidateQueries({ queryKey: ['getInbox'] })
    } catch (error) {
      setProblem(describeError(error))
    }
    setBusy(false)
  }
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
        <Button busy={busy} className="justify-self-start" onClick={() => input.current!.click()}>
          <Camera className="size-4" aria-hidden="true" /> Choose a picture
        </Button>
        <p role={problem && 'alert'} className={problem ? 'text-sm text-danger' : 'text-sm text-muted'}>
          {problem ?? 'It is cut to a square and made small here.'}
        </p>
      </div>
    </div>
  )
}
