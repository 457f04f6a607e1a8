import { type TSchema, type TSchemaOptions, Type } from 'typebox';

/**
 * Returns the schema of an amount in a request: a string, because the amount may be too large for a
 * JavaScript number.
 */
export const inputMinor = (description: string) =>
  Type.String({ pattern: '^-?[0-9]{1,40}$', description: `${description} In minor units of the currency.` });

/** Returns the schema of an amount in a response. Handlers return a bigint, which is sent as a string. */
export const minor = (description: string) => Type.Unsafe<bigint | string>(inputMinor(description));

/** Returns the schema of a time in a response. Handlers return a Date, which is sent as ISO 8601. */
export const time = (description: string) =>
  Type.Unsafe<Date | string>(
    Type.String({ format: 'date-time', description: `${description} ISO 8601, UTC.` }),
  );

/** Returns a schema that accepts any of the values, typed as their union. */
export const oneOf = <const Value extends string>(values: readonly Value[], options: TSchemaOptions = {}) =>
  Type.Unsafe<Value>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      options,
    ),
  );

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** Returns the schema of a page of a list. */
export const pageOf = <Row extends TSchema>(row: Row, title: string) =>
  Type.Object(
    {
      rows: Type.Array(row),
      nextCursor: nullable(Type.String({ description: 'Cursor of the next page; null on the last page.' })),
    },
    { title },
  );
