import type { MessageVersion } from '@parley/sdk/contract/message-edits.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { EmojiPicker } from '../messages/emoji/lazy.ts'
import type { Message } from '../messages/message.ts'
import { query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { exactTime } from '../state/time.ts'
import { useStore } from '../state/store.ts'
import { Modal } from '../ui/Modal.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { type OpenVersions, shownAbout, useThreadChanges } from './changes.ts'
import { Reactions } from './Reactions.tsx'

const close = () => shownAbout.set(undefined)

/** Shows what stood in a message before, or who reacted to it. */
export function MessageDialogs({ openVersions }: { openVersions: OpenVersions }) {
  const shown = useStore(shownAbout)
  if (!shown) return null
  const { what, message } = shown
  if (what === 'picker') return <Picker message={message} />
  if (what === 'edits') return <Edits message={message} open={openVersions} />
  return <Reactions message={message} onClose={close} />
}

/** Chooses a reaction. The message has the focus afterwards, where nothing else has it. */
function Picker({ message }: { message: Message }) {
  const changes = useThreadChanges()
  const bubble = document.querySelector<HTMLElement>(`[data-message="${CSS.escape(message.key)}"]`)
  const focus = () => {
    if (document.activeElement === document.body) bubble?.focus({ preventScroll: true })
  }
  useEffect(() => () => void setTimeout(focus))
  return <EmojiPicker anchor={bubble} onPick={(value) => changes?.react(message, value)} onClose={close} />
}

function Edits({ message, open }: { message: Message; open: OpenVersions }) {
  const { id, text } = message
  const { data, error } = useQuery(query('listEdits', { id }))
  const opened = useOpened(message, data, open)
  const before = (opened ?? []).flatMap((one, n) => (one ? [{ ...one, at: data![n]!.timestamp }] : []))
  const versions = [...before, { text, isClear: false, at: '' }]
  const lost = (opened ?? []).length - before.length
  return (
    <Modal title="Edit history" onClose={close}>
      {error && <p className="text-danger">{describeError(error)}</p>}
      {!opened && !error && <Spinner label="Loading earlier versions" />}
      {lost > 0 && (
        <p className="text-sm text-muted">
          {lost} of {versions.length + lost} versions can’t be opened here.
        </p>
      )}
      {opened && (
        <ol className="grid grid-cols-1 gap-4">
          {versions
            .map((version, n) => (
              <li key={version.at} className="grid grid-cols-1 gap-1">
                <span className="text-xs text-muted">
                  {version.at ? exactTime(version.at) : 'Now'}
                  {version.isClear && ' · not encrypted'}
                </span>
                <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
                  <Difference before={versions[n - 1]?.text} text={version.text} />
                </p>
              </li>
            ))
            .toReversed()}
        </ol>
      )}
    </Modal>
  )
}

/** Returns the earlier versions of a message once they are opened. */
function useOpened(message: Message, versions: MessageVersion[] | undefined, open: OpenVersions) {
  const [opened, setOpened] = useState<Awaited<ReturnType<OpenVersions>>>()
  useEffect(() => {
    let isCurrent = true
    if (versions) void open(message, versions).then((all) => isCurrent && setOpened(all))
    return () => {
      isCurrent = false
    }
  }, [message, versions, open])
  return opened?.length === versions?.length ? opened : undefined
}

type Words = { id: number; value: string; added: boolean; removed: boolean }[]

/** Marks the words that are new since the version before, and shows those that are gone. */
function Difference({ before, text }: { before: string | undefined; text: string }) {
  const [words, setWords] = useState<Words>()
  useEffect(() => {
    if (before === undefined) return
    void import('diff').then(({ diffWordsWithSpace }) =>
      setWords(diffWordsWithSpace(before, text).map((word, id) => Object.assign(word, { id }))),
    )
  }, [before, text])
  if (!words) return text
  return words.map(({ id, value, added, removed }) => {
    const Tag = added ? 'ins' : removed ? 'del' : 'span'
    return <Tag key={id}>{value}</Tag>
  })
}
