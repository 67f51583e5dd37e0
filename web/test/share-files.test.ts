// What another app shares goes to the service worker, and from there into a message.

import { expect, test } from 'vitest'
import { acquaint, arrive, eventually, openPerson } from './person.ts'
import { field, filesOf, send } from './sending.ts'
import { useSite } from './site.ts'

const site = useSite()

test('files that another app shares wait in the message to the person that is chosen', async () => {
  const [alice, bob] = [await openPerson(site.url, { serviceWorkers: 'allow' }), await openPerson(site.url)]
  await using _ = alice
  await bob[Symbol.asyncDispose]()
  await acquaint(site.service, alice, bob)
  const asBob = await site.service.as(bob.address)
  await asBob.setName({ body: { address: bob.address, name: 'Bob' } })
  await asBob.sendDirectMessage({ body: { fromaddr: bob.address, toaddr: alice.address, message: 'gm' } })
  const { page } = alice
  await arrive(alice)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      )
  })
  // The browser sends such a form when another app shares.
  await page.evaluate(() => {
    const form = Object.assign(document.createElement('form'), {
      action: '/share',
      method: 'POST',
      enctype: 'multipart/form-data',
    })
    const text = Object.assign(document.createElement('input'), { name: 'text', value: 'for you' })
    const files = Object.assign(document.createElement('input'), {
      name: 'files',
      type: 'file',
      multiple: true,
    })
    const data = new DataTransfer()
    data.items.add(new File(['the stalls'], 'ställе & stalls.txt', { type: 'text/plain' }))
    files.files = data.files
    form.append(text, files)
    document.body.append(form)
    form.submit()
  })
  await page.getByRole('heading', { name: 'Share with' }).waitFor()
  await page.getByText('ställе & stalls.txt').waitFor()
  await page.getByRole('button', { name: /Bob/ }).click()
  await page.getByRole('button', { name: 'Remove ställе & stalls.txt' }).waitFor()
  await eventually(
    () => field(alice).inputValue(),
    (text) => expect(text).toBe('for you'),
  )
  expect(await page.evaluate(() => caches.has('shared'))).toBe(false)
  await send(alice, 'for you')
  await page
    .getByRole('log')
    .getByRole('img', { name: /^(Sent|Read)$/ })
    .waitFor()
  const items = await asBob.listConversation({ fromaddr: bob.address, toaddr: alice.address })
  expect(filesOf(items)).toMatchObject([{ name: 'ställе & stalls.txt', size: 10 }])
  expect(alice.complaints).toEqual([])
})
