import pg from 'pg'

/** This is PostgreSQL's binary format, in which text is neither measured nor parsed. */
export const bytesFormat = {
  binary: true,
  types: {
    getTypeParser: (type: number) => (value: Buffer) => {
      if (type !== textType) throw new TypeError('Every column must be text.')
      return value
    },
  },
}

const textType: number = pg.types.builtins.TEXT
