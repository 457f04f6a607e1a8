import build from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

type Serialize = (answer: unknown) => string;

/** Serializers of all applications of the process: many routes share a schema (every GET is also a HEAD), compiled once. */
const compiled = new WeakMap<object, Serialize>();

/**
 * Writes answers by their schemas. A schema is compiled when the first answer of its kind is written: to compile all of
 * them took half of a start, and most processes answer few of the operations.
 */
export const serializerCompiler: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: Serialize | undefined;
  return (answer) => {
    serialize ??= compiled.get(schema) ?? compile(schema);
    return serialize(answer);
  };
};

function compile(schema: object): Serialize {
  const serialize: Serialize = build(schema);
  compiled.set(schema, serialize);
  return serialize;
}
