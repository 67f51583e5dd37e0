import { useMemo } from 'react'
import { useIsTeamKnown, useSign, useTeamWords } from '../names/official.ts'
import { teamAlarm } from './warnings.ts'

interface About {
  title: string
  /** The wallet has chosen this name. */
  ownName: string
  /** It has written these texts. */
  texts: string[]
  /** It has sent files with these names. */
  files: string[]
}

/** Returns the alarm about a stranger who claims to be of the team, or asks for what opens a wallet; undefined for others. */
export function useTeamAlarm(peer: string, { title, ownName, texts, files }: About): string | undefined {
  const isOfficial = useSign(peer, ownName)?.label !== undefined
  const team = useTeamWords()
  const isKnown = useIsTeamKnown()
  const [written, named] = [texts.join('\n'), files.join('\n')]
  return useMemo(
    () =>
      isKnown ? teamAlarm([written], named.split('\n'), { title, ownName, isOfficial, team }) : undefined,
    [isKnown, written, named, title, ownName, isOfficial, team],
  )
}
