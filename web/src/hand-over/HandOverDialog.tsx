import type { Handover } from '@parley/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { QrFigure } from '../first-run/QrFigure.tsx'
import { ShareLink } from '../first-run/ShareLink.tsx'
import { useKeyring } from '../keys/state/keyring.ts'
import { CheckField } from '../moderation/CheckField.tsx'
import { cache, client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useAccount, useMe } from '../service/session.ts'
import { explain } from '../sign-in/explain.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { endHandOver } from './handing-over.ts'
import { linkWith, useHandover } from './old-browser.ts'

/** Signs another browser in: shows a link for it, and asks which number it shows. */
export function HandOverDialog() {
  const { handover, secret, problem, again } = useHandover()
  const [refusal, setRefusal] = useState<string>()
  const close = () => {
    // What has ended needs no end.
    if (handover && handover.state !== 'done') void client.cancelHandover().catch(() => {})
    endHandOver()
  }
  const begin = () => {
    setRefusal(undefined)
    again()
  }
  const state = refusal === undefined ? handover?.state : 'none'
  return (
    <Modal title="Sign in another browser" onClose={close}>
      {problem !== undefined && (
        <>
          <p role="alert" className="text-danger">
            {describeError(problem)}
          </p>
          <Button onClick={begin}>Try again</Button>
        </>
      )}
      {!handover && problem === undefined && <Spinner label="Making a link" />}
      {state === 'waiting' && <Waiting link={linkWith(secret!)} />}
      {state === 'opened' && <Choose handover={handover!} secret={secret!} onRefused={setRefusal} />}
      {state === 'confirmed' && <Spinner label={`Signing in ${handover!.browser}`} />}
      {state === 'done' && (
        <>
          <p role="status" className="text-pretty">
            {handover!.browser} is signed in. You can sign it out in Settings, Devices.
          </p>
          <Button variant="primary" onClick={close}>
            Done
          </Button>
        </>
      )}
      {state === 'none' && (
        <>
          <p role="alert" className="text-pretty">
            {refusal ??
              'This link has ended: it was opened in two browsers, is older than five minutes, or another one was made. Nobody was signed in.'}
          </p>
          <Button variant="primary" onClick={begin}>
            Make a new link
          </Button>
        </>
      )}
    </Modal>
  )
}

const Waiting = ({ link }: { link: string }) => (
  <>
    <p className="text-pretty text-muted">
      Scan this with your other device, or open the link in your other browser. It works once, for five
      minutes. Send it to nobody.
    </p>
    <div className="grid justify-items-center">
      <QrFigure link={link} label="QR code that signs in another browser" caption="Scan with the camera" />
    </div>
    <ShareLink label="Link for your other browser" link={link} />
  </>
)

interface ChooseProps {
  handover: Handover
  secret: string
  onRefused: (why: string) => void
}

function Choose({ handover: { browser, numbers }, secret, onRefused }: ChooseProps) {
  const me = useMe()
  const hasKeys = useKeyring().state === 'open'
  const isThrowAway = useAccount()?.kind === 'throw-away'
  const [follows, setFollows] = useState(isThrowAway)
  const confirm = useMutation({
    mutationFn: async (number: number) => {
      const sealed = hasKeys && follows ? await (await import('./keys.ts')).sealKeys(secret, me) : undefined
      await client.confirmHandover({ body: { number, ...(sealed && { sealed }) } })
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: ['listSessions'] }),
    onError: (error) => {
      const { code } = error as { code?: unknown }
      if (code === 'conflict' || code === 'not_found') onRefused(describeError(error))
    },
  })
  const refuse = () => {
    void client.cancelHandover().catch(() => {})
    onRefused('Nobody was signed in. The link has ended.')
  }
  return (
    <>
      <p className="text-pretty">
        <strong>{browser}</strong> has opened the link. Which number does it show?
      </p>
      <div className="grid grid-cols-3 gap-2" role="group" aria-label="Numbers">
        {numbers?.map((number) => (
          <Button
            key={number}
            className="text-2xl tabular-nums"
            busy={confirm.isPending}
            onClick={() => confirm.mutate(number)}
          >
            {number}
          </Button>
        ))}
      </div>
      <p className="text-sm text-pretty text-muted">
        Choose only what you see yourself. Anyone who asks you for the number wants to read and write as you.
      </p>
      {hasKeys && (
        <CheckField
          label="Unlock my encrypted messages there"
          hint={
            isThrowAway
              ? 'Your keys travel sealed: the service cannot read them.'
              : 'Your wallet asks for a signature here. Your keys travel sealed: the service cannot read them.'
          }
          checked={follows}
          onChange={setFollows}
        />
      )}
      <p role="alert" className="text-sm text-danger empty:hidden">
        {confirm.error && explain(confirm.error)}
      </p>
      <Button onClick={refuse}>None of these</Button>
    </>
  )
}
