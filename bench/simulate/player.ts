// This process is all the people of a population. It receives one job at a time from its parent process.

import type net from 'node:net'
import { openStream } from '../cases/fan-out.ts'
import { drive, type Sample } from '../load/load.ts'
import { answerJobs } from '../load/worker.ts'
import { request, type Target, tokensOf } from '../service/access.ts'
import { type Action, type Ask, type Habits, type Life, lifeOf } from './habits.ts'
import { type Due, type Played, play } from './open-loop.ts'
import { type Law, type Population, populationOf } from './population.ts'
import { drawerOf, randomOf } from './random.ts'

export type Job =
  /** Makes the population; returns how many parts each stretch of its history has. */
  | { do: 'begin'; target: Omit<Target, 'size'>; law: Law; habits: Habits; days: number }
  /** Writes a part of the history; returns how many messages it had. */
  | { do: 'history'; part: number }
  /** Opens the event streams of `count` wallets. */
  | { do: 'streams'; count: number }
  /** Does only one action, by a closed loop on each connection. */
  | { do: 'alone'; action: Action; seconds: number }
  /** Does everything, at a rate; returns also how many messages came by streams. */
  | { do: 'mixed'; perSecond: number; seconds: number }

export interface Answer {
  /** The parts in this order: making acquaintances, messages, and marks of all that was received. */
  parts?: number[]
  messages?: number
  sample?: Sample
  played?: Played
  received?: number
}

const connections = 32
/** Requests of a part of the history. */
const partSize = 5_000
/** The maximum number of requests of one action that are made beforehand: a second's worth and more. */
const mostAlone = 5_000

interface State {
  port: number
  token: (wallet: string) => Promise<string>
  population: Population
  life: Life
  random: () => number
  history: Ask[][]
  streams: net.Socket[]
  received: number
}
let state: State

async function work(job: Job): Promise<Answer> {
  if (job.do === 'begin') return begin(job)
  if (job.do === 'history') {
    const part = state.history[job.part]!
    const requests = await Promise.all(part.map(dueOf))
    const { failed, kinds } = await drive(state.port, { requests, once: true }, connections, 600)
    const problem = Object.keys(failed)[0] ?? (kinds['refused'] && '429')
    if (problem) throw new Error(`A request of the history was answered with ${problem}.`)
    return { messages: part.filter(({ kind }) => kind === 'send').length }
  }
  if (job.do === 'streams') return openStreams(job.count)
  if (job.do === 'alone') {
    // Marks without something to mark would be too cheap.
    const asks =
      job.action === 'mark'
        ? state.life.readAll()
        : Array.from({ length: mostAlone }, () => state.life.next(job.action)).flat()
    const requests = await Promise.all(asks.map(dueOf))
    const traffic = { requests, once: job.action === 'mark' }
    return { sample: await drive(state.port, traffic, connections, job.seconds) }
  }
  const { port, random, life } = state
  const next = () => Promise.all(life.next().map(dueOf))
  const before = state.received
  const played = await play({ port, random, next, perSecond: job.perSecond, seconds: job.seconds })
  return { played, received: state.received - before }
}

async function begin({ target, law, habits, days }: Job & { do: 'begin' }): Promise<Answer> {
  const population = populationOf(law)
  const life = lifeOf(population, habits, law.seed)
  const { first, answers } = life.beginnings()
  const written = Array.from({ length: Math.round(days * law.sample * habits.messages) }, () =>
    life.next('send'),
  )
  const stretches = [[first, answers].flatMap(inParts), inParts(written.flat()), inParts(life.readAll())]
  state = {
    port: target.port,
    token: tokensOf(target),
    population,
    life,
    random: randomOf(law.seed + 1),
    history: stretches.flat(),
    streams: [],
    received: 0,
  }
  await Promise.all(population.addresses.map(state.token))
  return { parts: stretches.map(({ length }) => length) }
}

async function openStreams(count: number): Promise<Answer> {
  const { population, random, port } = state
  // Wallets that do more are there more often.
  const weights = population.activity.slice()
  for (let n = 0; n < Math.min(count, weights.length); n++) {
    const wallet = drawerOf(weights, random)()
    weights[wallet] = 0
    const bytes = await request(state, population.addresses[wallet]!, 'GET', '/v1/events')
    const { socket, status } = await openStream(port, bytes, (block) => {
      if (block.includes('direct-message')) state.received++
    })
    if (status !== 200) throw new Error(`GET /v1/events answered ${status} to stream ${n + 1}.`)
    state.streams.push(socket)
  }
  return {}
}

const dueOf = async ({ kind, wallet, method, path, body }: Ask): Promise<Due> => ({
  kind,
  bytes: await request(state, wallet, method, path, body),
})

const inParts = (asks: Ask[]): Ask[][] =>
  Array.from({ length: Math.ceil(asks.length / partSize) }, (_, n) =>
    asks.slice(n * partSize, (n + 1) * partSize),
  )

answerJobs(work)
