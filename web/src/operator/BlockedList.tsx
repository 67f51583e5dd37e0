import type { BlockedFile } from '@parley/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { WalletName } from '../names/WalletName.tsx'
import { client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { showNotice } from '../state/notice.ts'
import { shortTime } from '../state/time.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { readFilesAgain, useBlockedFiles } from './blocked-files.ts'

/** Lists the files that are blocked, by whom and why, the latest first. */
export function BlockedList() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useBlockedFiles()
  const [unblocking, setUnblocking] = useState<string>()
  const files = data?.pages.flat()
  return (
    <Card title="Blocked">
      {error && !files && <ReadProblem error={error} what="Blocked files" onRetry={() => void refetch()} />}
      {!files && !error && <Spinner />}
      {files?.length === 0 && <p className="py-1 text-sm text-muted">No file is blocked.</p>}
      {files && files.length > 0 && (
        <ul aria-label="Blocked files" className="grid grid-cols-1 gap-3 py-1">
          {files.map((file) => (
            <Row key={file.id} file={file} onUnblock={() => setUnblocking(file.sha256)} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older
        </Button>
      )}
      {unblocking !== undefined && (
        <UnblockDialog sha256={unblocking} onClose={() => setUnblocking(undefined)} />
      )}
    </Card>
  )
}

const Row = ({ file, onUnblock }: { file: BlockedFile; onUnblock: () => void }) => (
  <li className="flex items-start justify-between gap-3 border-s-2 border-line ps-3 text-sm">
    <div className="grid min-w-0 gap-0.5">
      <code className="wrap-anywhere">{file.sha256}</code>
      <p className="text-pretty wrap-anywhere whitespace-pre-wrap" dir="auto">
        {file.reason}
      </p>
      <p className="text-muted">
        by <WalletName address={file.operator} />, <time dateTime={file.at}>{shortTime(file.at)}</time>
      </p>
    </div>
    <Button aria-label={`Unblock ${file.sha256.slice(0, 8)}`} onClick={onUnblock}>
      Unblock
    </Button>
  </li>
)

/** Lets an operator say why the service takes a file again. */
function UnblockDialog({ sha256, onClose }: { sha256: string; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const why = reason.trim()
  const unblock = useMutation({
    mutationFn: () => client.unblockFile({ sha256, ...(why && { query: { reason: why } }) }),
    onSuccess: () => {
      showNotice('File unblocked')
      readFilesAgain()
      onClose()
    },
  })
  return (
    <Modal title="Unblock this file?" onClose={onClose}>
      <form
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          unblock.mutate()
        }}
      >
        <code className="text-sm wrap-anywhere">{sha256}</code>
        <p className="text-sm text-pretty text-muted">
          People can upload it again. What was deleted doesn’t come back.
        </p>
        <TextArea
          label="Why (optional)"
          hint="Only operators read this."
          rows={2}
          most={512}
          value={reason}
          onChange={setReason}
        />
        <Problem error={unblock.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={unblock.isPending}>
            Unblock
          </Button>
        </div>
      </form>
    </Modal>
  )
}
