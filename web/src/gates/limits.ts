// What a rule of a gate may have at most, and where the service has found a fault.

import type { FieldError } from '@parley/sdk/contract/errors.ts'
import type { NewGateRule } from '@parley/sdk/contract/gate-models.ts'
import { deepestGroup, mostConditions } from '@parley/sdk/gates/limits.ts'
import { type Group, isGroup, type Part, ruleOf } from './entered.ts'

const countConditions = (part: Part): number =>
  isGroup(part) ? part.parts.reduce((sum, one) => sum + countConditions(one), 0) : 1

export const isFull = (side: Group): boolean => countConditions(side) >= mostConditions

export const whyFull = `A rule has at most ${mostConditions} conditions.`

const levelsOf = ({ any, all, not }: NewGateRule): number => {
  const inner = not ? [not] : (any ?? all)
  return inner ? 1 + Math.max(0, ...inner.map(levelsOf)) : 0
}

/** Returns true where the service takes groups that are as deep. */
export const isShallow = (side: Group): boolean => levelsOf(ruleOf(side)) <= deepestGroup

const fields = /\/(chain|contract|standard|min|ids|held_hours|wallets)(\/\d+)?$/

/** Returns the fault that the service found in a field of the condition at a place. */
export const faultAt = (errors: FieldError[], place: string) => (field: string) =>
  errors.find(({ pointer }) => {
    const rest = pointer.startsWith(`${place}/`) ? pointer.slice(place.length) : undefined
    return rest !== undefined && fields.exec(rest)?.[1] === field && rest.split('/')[1] === field
  })?.detail

/** Returns true where the fault is in no field of the form. */
export const isElsewhere = ({ pointer }: FieldError): boolean => !fields.test(pointer)
