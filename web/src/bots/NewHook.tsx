import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { ShownOnce } from '../ui/ShownOnce.tsx'
import { TextField } from '../ui/TextField.tsx'

async function make(body: { label: string; nftaddr: string }): Promise<string> {
  const [made] = await client.createIncomingHook({ body })
  return made!.url!
}

/** Asks what a new hook is for and in which chat it posts, and shows its address once. */
export function NewHook({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const [label, setLabel] = useState('')
  const [chat, setChat] = useState('')
  const making = useMutation({ mutationFn: make, onSuccess: onMade })
  if (making.data !== undefined) return <Made url={making.data} onClose={onClose} />
  const asked = { label: label.trim(), nftaddr: chat.trim() }
  return (
    <Modal title="Make a hook" onClose={onClose}>
      <form
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          making.mutate(asked)
        }}
      >
        <TextField
          label="What it is for"
          placeholder="Builds of my server"
          autoComplete="off"
          maxLength={100}
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        <TextField
          label="The chat"
          hint="The name of a community, or the address of an NFT contract."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={chat}
          onChange={(event) => setChat(event.target.value)}
        />
        <Problem error={making.error} />
        <Button
          type="submit"
          variant="primary"
          className="justify-self-end"
          busy={making.isPending}
          whyDisabled={
            asked.label === ''
              ? 'Enter what the hook is for.'
              : asked.nftaddr === '' && 'Enter the chat in which the hook posts.'
          }
        >
          Make the hook
        </Button>
      </form>
    </Modal>
  )
}

function Made({ url, onClose }: { url: string; onClose: () => void }) {
  const example = `curl ${url} -H 'Content-Type: application/json' -d '{"text": "The build is green."}'`
  return (
    <ShownOnce
      title="Copy the address of your hook"
      what="address"
      secret={url}
      text="You won’t see it again. Keep it secret: whoever has it can post in this chat as you."
      also={[['command', example]]}
      onClose={onClose}
    >
      <p className="text-sm text-muted">Try it in a terminal:</p>
      <pre className="rounded-xl bg-sunken p-4 text-sm wrap-anywhere whitespace-pre-wrap">{example}</pre>
    </ShownOnce>
  )
}
