import { useMutation } from '@tanstack/react-query'
import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { saveArchive } from '../service/save-archive.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { EraseWallet } from './EraseWallet.tsx'

/** Shows the data that the service holds about the wallet: to download, and to erase. */
export function DataCard({ address }: { address: string }) {
  const [asking, setAsking] = useState(false)
  const download = useMutation({
    mutationFn: async () => saveArchive(await client.exportAccount({ address }), `parley-${address}.zip`),
  })
  return (
    <Card>
      <p className="text-sm text-pretty text-muted">
        Download everything {location.host} stores about you as a ZIP file. Encrypted messages stay encrypted.
      </p>
      <Problem error={download.error} />
      <div className="flex flex-wrap gap-2">
        <Button busy={download.isPending} onClick={() => download.mutate()}>
          <Download className="size-4" aria-hidden="true" />
          {download.isPending ? 'Downloading…' : 'Download my data'}
        </Button>
        <Button variant="danger" onClick={() => setAsking(true)}>
          <Trash2 className="size-4" aria-hidden="true" /> Erase my wallet here
        </Button>
      </div>
      {asking && <EraseWallet address={address} onClose={() => setAsking(false)} />}
    </Card>
  )
}
