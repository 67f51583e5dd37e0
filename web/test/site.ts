import { afterAll, beforeAll } from 'vitest'
import { type Service, startSite } from '../../testing/service/service.ts'
import { openBrowser } from './browser.ts'

type Options = Parameters<typeof startSite>[0]

interface Site {
  readonly service: Service
  readonly url: string
}

/** One service for all tests of a file, which are there once its tests run. */
export function useSite(options?: Options | (() => Promise<Options>)): Site {
  let started: { service: Service; url: string } | undefined
  beforeAll(async () => {
    const given = typeof options === 'function' ? await options() : options
    const [service] = await Promise.all([startSite(given), openBrowser()])
    started = { service, url: await service.listen() }
  })
  afterAll(() => started?.service[Symbol.asyncDispose]())
  return {
    get service() {
      return started!.service
    },
    get url() {
      return started!.url
    },
  }
}
