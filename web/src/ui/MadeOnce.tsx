import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Modal } from './Modal.tsx'
import { Copy } from 'lucide-react'
import { Button } from './Button.tsx'
import { copy } from '../state/notice.ts'

type Shown = Omit<ComponentProps<typeof ShownOnce>, 'onClose'>

/** The form that makes it receives this. */
export interface Making<Input> {
  busy: boolean
  error: Error | null
  onMake: (input: Input) => void
}

interface Props<Input, Made> {
  title: string
  make: (input: Input) => Promise<Made>
  /** Returns how it is shown once it is made. */
  show: (made: Made) => Shown
  onMade: (made: Made) => void
  onClose: () => void
  children: (form: Making<Input>) => ReactNode
}

/**
 * Shows the form for what is made with a secret that is shown once, makes it, and shows it. While it is made, closing
 * needs a confirmation: it would exist, and nobody would have its secret.
 */
export function MadeOnce<Input, Made>({ title, make, show, onMade, onClose, children }: Props<Input, Made>) {
  const making = useMutation({ mutationFn: make, onSuccess: onMade })
  if (making.data !== undefined) return <ShownOnce {...show(making.data)} onClose={onClose} />
  return (
    <Modal
      title={title}
      onClose={onClose}
      keep={making.isPending ? 'It is being made. If you close now, you never see its secret.' : undefined}
    >
      {children({
        busy: making.isPending,
        error: making.error,
        onMake: (input) => making.mutate(input),
      })}
    </Modal>
  )
}

interface ShownProps {
  title: string
  /** This names it, as in “You have not copied this key”. */
  what: string
  secret: string
  text: string
  onClose: () => void
  /** These other texts with the secret in them can be copied, each with its name. */
  also?: [name: string, text: string][]
  children?: ReactNode
}

const none: [string, string][] = []

/** Shows a secret once. The dialog stays until the secret was copied or somebody says that it is saved. */
function ShownOnce({ title, what, secret, text, onClose, also = none, children }: ShownProps) {
  const [isCopied, setCopied] = useState(false)
  const take = async (part: string, done: string) => {
    if (await copy(part, done)) setCopied(true)
  }
  return (
    <Modal
      title={title}
      onClose={onClose}
      keep={isCopied ? undefined : `You have not copied this ${what}. Close anyway?`}
    >
      <p className="text-pretty text-muted">{text}</p>
      <p
        className="rounded-xl bg-sunken p-4 font-mono text-sm wrap-anywhere"
        onCopy={() => {
          if (String(getSelection()).includes(secret)) setCopied(true)
        }}
      >
        {secret}
      </p>
      {children}
      <div className="flex flex-wrap justify-end gap-2">
        {[[what, secret] as const, ...also].map(([name, part], index) => (
          <Button
            key={name}
            data-first={index === 0 || undefined}
            onClick={() => void take(part, `${name[0]!.toUpperCase()}${name.slice(1)} copied`)}
          >
            <Copy className="size-4" aria-hidden="true" /> Copy the {name}
          </Button>
        ))}
        <Button variant="primary" onClick={onClose}>
          I have saved it
        </Button>
      </div>
    </Modal>
  )
}
