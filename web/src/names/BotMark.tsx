import { useIsBot } from './bots.ts'

interface Props {
  address: string
  /** When true, it is read after what is shown first. */
  mayWait?: boolean
}

/** Shows a small sign beside the name of a wallet that is a bot; nothing for people. */
export const BotMark = ({ address, mayWait = false }: Props) =>
  useIsBot(address, mayWait) ? <BotSign /> : null

export const BotSign = () => (
  <span className="inline-block shrink-0 rounded-md bg-sunken px-1.5 align-middle text-xs leading-5 font-medium text-muted forced-colors:border">
    Bot
  </span>
)
