import { expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'
import { findInvitation } from './invitation.ts'

const service = useService()

test('a link says nothing about a community, which may be there, taken down, or not there', async () => {
  await newCommunity(service, 'Cellar')
  await newCommunity(service, 'Attic')
  const operator = newWallet()
  await addOperator(service, operator)
  const body = { action: 'takedown_community' as const, subject: 'Cellar', reason: 'a test' }
  await (await service.as(operator)).act({ body })
  for (const name of ['Cellar', 'Attic', 'Nowhere'])
    expect(await findInvitation(service.ctx, `/c/${name}`)).toEqual({ kind: 'community', name })
})
