import { Type } from 'typebox'

/** A type for one of several names. */
export const literals = <const Names extends string[]>(names: [...Names], description: string) =>
  Type.Union(
    names.map((name) => Type.Literal(name)),
    { description, examples: [names[0]] },
  ) as unknown as ReturnType<typeof Type.Unsafe<Names[number]>>
