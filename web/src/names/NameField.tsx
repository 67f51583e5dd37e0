import { cache, client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useUnsaved } from '../service/unsaved.ts'
import { hideNotice, showNotice } from '../state/notice.ts'
import { EditField } from '../ui/EditField.tsx'
import { useName } from './profile.ts'

/** Shows the name of a wallet, and a way to change it. */
export function NameField({ address }: { address: string }) {
  const { name } = useName(address)
  const typed = useUnsaved<string>('name')
  const save = async (chosen: string) => {
    hideNotice()
    try {
      await (chosen ? client.setName({ body: { address, name: chosen } }) : client.deleteName())
      await cache.invalidateQueries({ queryKey: ['getName'] })
      showNotice(chosen ? 'Name saved' : 'Name removed')
      return undefined
    } catch (error) {
      return describeError(error)
    }
  }
  return (
    <EditField
      label="Name"
      placeholder="How others see you"
      autoComplete="nickname"
      current={name}
      typed={typed}
      already="This is your name already."
      save={save}
    />
  )
}
