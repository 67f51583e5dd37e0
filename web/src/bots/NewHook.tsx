import { useState } from 'react'
import { client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { Button } from '../ui/Button.tsx'
import { MadeOnce, type Making } from '../ui/MadeOnce.tsx'
import { TextField } from '../ui/TextField.tsx'

interface Asked {
  label: string
  nftaddr: string
}

async function make(body: Asked): Promise<string> {
  const [made] = await client.createIncomingHook({ body })
  return made!.url!
}

/** Lets the user choose what a new hook is for and in which chat it posts, and shows its address once. */
export const NewHook = ({ onMade, onClose }: { onMade: () => void; onClose: () => void }) => (
  <MadeOnce title="Make a hook" make={make} show={shownAs} onMade={onMade} onClose={onClose}>
    {(form) => <HookForm {...form} />}
  </MadeOnce>
)

function shownAs(url: string) {
  const example = `curl ${url} -H 'Content-Type: application/json' -d '{"text": "The build is green."}'`
  return {
    title: 'Copy the address of your hook',
    what: 'address',
    secret: url,
    text: 'You won’t see it again. Keep it secret: anyone who has it can post in this chat as you.',
    also: [['command', example]] as [string, string][],
    children: (
      <>
        <p className="text-sm text-muted">Try it in a terminal:</p>
        <pre className="rounded-xl bg-sunken p-4 text-sm wrap-anywhere whitespace-pre-wrap">{example}</pre>
      </>
    ),
  }
}

function HookForm({ busy, error, onMake }: Making<Asked>) {
  const [label, setLabel] = useState('')
  const [chat, setChat] = useState('')
  const asked = { label: label.trim(), nftaddr: chat.trim() }
  return (
    <form
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onMake(asked)
      }}
    >
      <TextField
        label="Name"
        placeholder="Builds of my server"
        autoComplete="off"
        maxLength={100}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
      <TextField
        label="The chat"
        hint="A community or an NFT contract."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={chat}
        onChange={(event) => setChat(event.target.value)}
      />
      <Problem error={error} />
      <Button
        type="submit"
        variant="primary"
        className="justify-self-end"
        busy={busy}
        whyDisabled={
          asked.label === ''
            ? 'Enter a name.'
            : asked.nftaddr === '' && 'Enter the chat in which the hook posts.'
        }
      >
        Make the hook
      </Button>
    </form>
  )
}
