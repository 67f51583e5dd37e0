import { Bell } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useProfile } from '../names/profile.ts'
import { describeError } from '../service/describe-error.ts'
import { turnOnPush, usePush } from '../service/push.ts'
import { useServiceInfo } from '../service/info.ts'
import { useAccount } from '../service/session.ts'
import { AddressBlocks } from '../seal/AddressBlocks.tsx'
import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { handedSecret, secretIn } from '../sign-in/handed-link.ts'
import { showNotice } from '../state/notice.ts'
import { useStore } from '../state/store.ts'
import { useTitle } from '../state/title.ts'
import { Button } from '../ui/Button.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { TextField } from '../ui/TextField.tsx'
import { opening, openLink, refuseLink, waitForNumber } from './new-browser.ts'
import { canHandOver } from './secret.ts'

/** Signs this browser in by a link of another one. It says whose account that is, and asks. */
export function HandOverPage() {
  useTitle('Sign in by a link')
  const secret = useStore(handedSecret)
  const now = useStore(opening)
  const navigate = useNavigate()
  useEffect(() => {
    if (secret && canHandOver()) void openLink(secret)
  }, [secret])
  const leave = () => {
    refuseLink()
    void navigate('/', { replace: true })
  }
  return (
    <main className="grid h-full overflow-y-auto bg-page p-4">
      <div className="m-auto grid w-full max-w-sm gap-5 py-8 text-center">
        {!canHandOver() && (
          <Said title="This page needs https">
            <p className="text-pretty text-muted">Open {location.host} over https to sign in by a link.</p>
          </Said>
        )}
        {canHandOver() && now.step === 'none' && (
          <Said title="Sign in by a link">
            <Paste />
          </Said>
        )}
        {now.step === 'opening' && <Spinner label="Opening the link" />}
        {now.step === 'asking' && (
          <Ask address={now.opened.address} by={now.opened.browser}>
            <Button variant="primary" onClick={() => void waitForNumber(now.opened)}>
              Yes, sign in to this account
            </Button>
            <Button onClick={leave}>No, this is not my account</Button>
          </Ask>
        )}
        {now.step === 'waiting' && (
          <Said title="Choose this number in the other browser">
            <p
              role="status"
              aria-label={`The number is ${now.opened.number}`}
              className="justify-self-center rounded-2xl bg-sunken px-8 py-4 text-5xl font-semibold tracking-widest tabular-nums"
            >
              {now.opened.number}
            </p>
            <p className="text-pretty text-muted">
              {now.opened.browser} asks which number you see. This page continues by itself.
            </p>
            <Button onClick={leave}>Cancel</Button>
          </Said>
        )}
        {now.step === 'done' && <Done address={now.opened.address} onLeave={leave} />}
        {now.step === 'ended' && (
          <Said title="This browser is not signed in">
            <p role="alert" className="text-pretty text-danger">
              {now.problem}
            </p>
            <Paste />
          </Said>
        )}
      </div>
    </main>
  )
}

const Said = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <h1 className="text-2xl font-semibold tracking-tight text-balance">{title}</h1>
    {children}
  </>
)

/** An app on the home screen has no address bar: the link is pasted. */
function Paste() {
  const [text, setText] = useState('')
  const secret = secretIn(text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (secret) void openLink(secret)
  }
  return (
    <form className="grid gap-4 text-start" onSubmit={submit}>
      <p className="text-pretty text-muted">
        In the browser where you are signed in, open Settings, Devices, and choose “Sign in another browser”.
        Copy its link and paste it here.
      </p>
      <TextField
        label="Link"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" variant="primary" whyDisabled={!secret && 'Paste the whole link.'}>
        Continue
      </Button>
      <Link to="/" className="justify-self-center py-2 text-accent hover:underline">
        Go to the start page
      </Link>
    </form>
  )
}

/** A stranger’s link would make its reader write as the stranger: the account is shown in full. */
function Ask({ address, by, children }: { address: string; by: string; children: ReactNode }) {
  const { name, picture } = useProfile(address)
  const account = useAccount()
  return (
    <>
      <div className="justify-self-center">
        <Avatar seed={address} picture={picture} size="huge" />
      </div>
      <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere" dir="auto">
        Is {name || shortAddress(address)} your account?
      </h1>
      <div className="justify-self-center">
        <AddressBlocks address={address} />
      </div>
      <p className="text-pretty text-muted">
        {by} made this link. If you continue, this browser reads and writes as this account. If somebody else
        sent you the link, choose No: they would read what you write.
      </p>
      {account && account.address !== address && (
        <p className="rounded-xl bg-warn-soft px-4 py-2 text-sm text-pretty text-warn">
          You are signed in here as {shortAddress(account.address)}. That account stays, and this one is
          added.
        </p>
      )}
      <div className="grid gap-2">{children}</div>
    </>
  )
}

/** The sign-in is recent now, so notifications can be turned on. */
function Done({ address, onLeave }: { address: string; onLeave: () => void }) {
  const push = usePush(address)
  const info = useServiceInfo()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const turnOn = async () => {
    setBusy(true)
    try {
      await turnOnPush(address)
      if (Notification.permission === 'granted') {
        showNotice('Notifications are on')
        onLeave()
      }
    } catch (error) {
      setProblem(describeError(error))
    }
    setBusy(false)
  }
  const isOffered = info?.push && push === 'off'
  return (
    <>
      <div className="justify-self-center">
        <Avatar seed={address} size="large" />
      </div>
      <Said title="You are signed in">
        {isOffered && (
          <Button variant="primary" busy={busy} onClick={() => void turnOn()}>
            <Bell className="size-4" aria-hidden="true" /> Notify me here
          </Button>
        )}
        {info?.push && push === 'needs-install' && (
          <p className="text-pretty text-muted">
            For notifications, share this page, choose “Add to Home Screen”, open Parley from there, and sign
            in there by another link.
          </p>
        )}
        {info?.push && push === 'denied' && (
          <p className="text-pretty text-muted">
            Notifications are blocked. Allow them in your browser’s site settings (beside the address).
          </p>
        )}
        <p role="alert" className="text-sm text-danger empty:hidden">
          {problem}
        </p>
        <Button variant={isOffered ? 'plain' : 'primary'} onClick={onLeave}>
          Go to your chats
        </Button>
      </Said>
    </>
  )
}
