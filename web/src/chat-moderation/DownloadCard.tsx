import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { saveArchive } from '../service/save-archive.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'

/** The owner downloads the history of a chat. */
export function DownloadCard({ nftaddr }: { nftaddr: string }) {
  const download = useMutation({
    mutationFn: async () =>
      saveArchive(await client.exportChat({ nftaddr }), `${nftaddr.replaceAll('/', '-')}.zip`),
  })
  return (
    <Card title="History">
      <p className="text-sm text-pretty text-muted">
        A ZIP file with all messages, also of the rooms, with their files and reactions. Removed messages are
        not in it. You can bring it to another Parley.
      </p>
      <Problem error={download.error} />
      <Button className="justify-self-start" busy={download.isPending} onClick={() => download.mutate()}>
        <Download className="size-4" aria-hidden="true" />
        {download.isPending ? 'Downloading…' : 'Download everything that was said here'}
      </Button>
    </Card>
  )
}
