import { useMutation } from '@tanstack/react-query'
import { describeError } from '../service/describe-error.ts'
import { useUnsaved } from '../service/unsaved.ts'
import { showNotice } from '../state/notice.ts'
import { readWallet } from './find.ts'

interface Entered {
  who: string
  label: string
}
const nothing: Entered = { who: '', label: '' }

/** Holds what is typed in a form that names a wallet as one of a team, by its address or name, and what it does there. */
export function useTeamForm(key: string, name: (walletaddr: string, label: string) => Promise<void>) {
  const [entered = nothing, enter] = useUnsaved<Entered>(key)
  const [who, label] = [entered.who.trim(), entered.label.trim()]
  const isWhole = who !== '' && label !== ''
  const add = useMutation({
    mutationFn: async () => name(await readWallet(who), label),
    onSuccess: () => {
      enter(undefined)
      showNotice('Added to the team')
    },
  })
  return {
    entered,
    isWhole,
    busy: add.isPending,
    problem: add.error ? describeError(add.error) : undefined,
    change: (part: Partial<Entered>) => {
      enter({ ...entered, ...part })
      add.reset()
    },
    submit: () => {
      if (isWhole) add.mutate()
    },
  }
}
