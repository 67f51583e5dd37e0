// A push about a message that has only files says what they are.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatMember, newCommunity } from '../../../../testing/people/chat-members.ts'
import { startPushing } from '../../../../testing/people/push-people.ts'
import { upload } from '../../../../testing/people/uploading.ts'
import { defaults } from '../../messages/notification-policy.ts'

let t: Awaited<ReturnType<typeof startPushing>>
beforeAll(async () => {
  t = await startPushing()
})
afterAll(() => t[Symbol.asyncDispose]())

const bytes = new Uint8Array(100).fill(1)
/** The first bytes of a PNG. */
const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex')
const picture = new Uint8Array([...png, ...bytes])

test('a push says "Photo", "3 files" or a name for files without a text, and the text where there is one', async () => {
  const [alice, bob] = [await t.newPerson({ subscribe: false }), await t.newPerson()]
  const pair = { fromaddr: alice.address, toaddr: bob.address }
  await bob.client.setContact({ peer: alice.address, body: { state: 'accepted' } })
  await bob.client.setNotificationRules({ body: { ...defaults, preview: 'text' } })
  const bodyOf = async (names: string[], message: string) => {
    const files: string[] = []
    for (const name of names) {
      const content = name.endsWith('.png') ? picture : bytes
      files.push((await upload(alice.client, { toaddr: bob.address, name }, content)).id)
    }
    await alice.client.sendDirectMessage({ body: { ...pair, message, files } })
    await t.work()
    await t.later()
    return bob.pushes().at(-1)!.push.body
  }
  expect(await bodyOf(['IMG_1.png'], 'IMG_1.png')).toBe('Photo')
  expect(await bodyOf(['plan.pdf'], 'plan.pdf')).toBe('plan.pdf')
  const many = ['a.png', 'b.png', 'c.pdf']
  expect(await bodyOf(many, many.join(', '))).toBe('3 files')
  // Ten long names are more than a push reads of a text.
  const long = Array.from({ length: 10 }, (_, n) => `${'long name '.repeat(20)}${n}.pdf`)
  expect(await bodyOf(long, long.join(', '))).toBe('10 files')
  expect(await bodyOf(['IMG_2.png'], 'look at this')).toBe('look at this')
})

test('so does a push about a post', async () => {
  const [owner] = await newCommunity(t.service, 'files-town', 0)
  const bob = await t.newPerson()
  await chatMember(t.service, 'files-town', bob.address)
  await bob.client.setChatNotifications({ nftaddr: 'files-town', body: { tell: 'all' } })
  await bob.client.setNotificationRules({ body: { ...defaults, preview: 'text' } })
  const about = { nftaddr: 'files-town', name: 'IMG_1.png' }
  const { id } = await upload(owner.client, about, picture)
  const body = { fromaddr: owner.address, nftaddr: 'files-town', message: 'IMG_1.png', files: [id] }
  await owner.client.postGroupMessage({ body })
  await t.work()
  expect(bob.pushes().at(-1)!.push.body).toMatch(/: Photo$/)
})
