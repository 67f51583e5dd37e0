import { Type } from 'typebox'

/** One of some names. */
export const literals = <const Names extends string[]>(names: [...Names], description: string) =>
  Type.Union(
    names.map((name) => Type.Literal(name)),
    { description, examples: [names[0]] },
  ) as unknown as ReturnType<typeof Type.Unsafe<Names[number]>>
