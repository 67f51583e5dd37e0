import { Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import { Modal } from './Modal.tsx'
import { copy } from './notice.ts'

interface Props {
  title: string
  /** What it is, as in “You have not copied this key”. */
  what: string
  secret: string
  text: string
  onClose: () => void
  /** Other texts with the secret in them that can be copied, each with its name. */
  also?: [name: string, text: string][]
  children?: ReactNode
}

const none: [string, string][] = []

/** Shows a secret once. The dialog stays until the secret was copied or somebody says that it is saved. */
export function ShownOnce({ title, what, secret, text, onClose, also = none, children }: Props) {
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
