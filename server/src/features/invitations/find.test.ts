import { expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { newWallet, startService } from '../../../../testing/service/service.ts'
import { findInvitation } from './find.ts'

test('a link to a community that was taken down shows nothing of it', async () => {
  await using service = await startService()
  await newCommunity(service, 'Cellar')
  const operator = newWallet()
  await addOperator(service, operator)
  const asOperator = await service.as(operator)
  const act = (action: string, subject: string) =>
    asOperator.act({ body: { action: action as 'note', subject, reason: 'a test' } })
  const invited = (path: string) => findInvitation(service.ctx, path)
  expect(await invited('/c/Cellar')).toEqual({ kind: 'community', name: 'Cellar' })
  await act('takedown_community', 'Cellar')
  for (const path of ['/c/Cellar', '/c/cellar', '/c/CELLAR', '/c/C%65llar'])
    expect(await invited(path), path).toBeUndefined()
  await act('restore_community', 'Cellar')
  expect(await invited('/c/cellar')).toEqual({ kind: 'community', name: 'Cellar' })
})
