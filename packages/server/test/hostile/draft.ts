import type { Operation } from '../documented-answers.ts';
import type { Random } from '../simulation/random.ts';
import type { Pool } from './pool.ts';
import type { ValidValues } from './valid-value.ts';

/** Request that hasn't been sent yet. It is valid until it is mutated. */
export interface Draft {
  operation: Operation;
  method: string;
  /** Path segments, percent-encoded. */
  segments: string[];
  /** Indexes of the path segments that are parameters. */
  parameters: readonly number[];
  /** `name=value`, percent-encoded. */
  query: string[];
  headers: [name: string, value: string][];
  /** JSON body; undefined for a request without a body. */
  json: unknown;
  /** Body to send instead of `json`. */
  body: Buffer | null;
  rewrites: ((text: string) => string | Buffer)[];
  isChunked: boolean;
  /** True if the HTTP parser may reject the request before it reaches an operation. */
  mayBreakHttp: boolean;
}

export type Credential = readonly (readonly [name: string, value: string])[];

export function draftOf(
  operation: Operation,
  credential: Credential,
  { values, pool, random }: { values: ValidValues; pool: Pool; random: Random },
): Draft {
  const { said, method, path } = operation;
  const parameters: { in: string; name: string; required?: boolean; schema: object }[] =
    said.parameters ?? [];
  const schemaOf = (name: string): object =>
    parameters.find((each) => each.in === 'path' && each.name === name)?.schema ?? {};
  const templates = path.split('/').slice(1);
  const segments = templates.map((part) => {
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name === undefined) return part;
    const known = pool.pick(name, random);
    return encode(String(known ?? values.of(schemaOf(name), name, random)));
  });
  const query = parameters
    .filter((each) => each.in === 'query' && (each.required === true || random.oneIn(3)))
    .map(({ name, schema }) => `${name}=${encode(String(values.of(schema, name, random)))}`);
  const content: Record<string, { schema: object }> = said.requestBody?.content ?? {};
  const type = Object.keys(content).includes('application/json')
    ? 'application/json'
    : Object.keys(content)[0];
  return {
    operation,
    method,
    segments,
    parameters: templates.flatMap((part, at) => (part.startsWith('{') ? [at] : [])),
    query,
    headers: [
      ...credential.map(([name, value]): [string, string] => [name, value]),
      ...(type === undefined ? [] : [contentType(type)]),
    ],
    json: type === undefined ? undefined : values.of(content[type]?.schema, operation.operationId, random),
    body: null,
    rewrites: [],
    isChunked: false,
    mayBreakHttp: false,
  };
}

const contentType = (type: string): [string, string] => ['content-type', type];

/** Percent-encodes text. Replaces lone surrogates, because UTF-8 can't encode them. */
export const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

export const pathOf = ({ segments, query }: Draft): string =>
  `/${segments.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`;

/** Returns a request's bytes. The head is encoded as Latin-1. */
export function toBytes(draft: Draft, host: string): Buffer {
  const body = bodyOf(draft);
  const headers = draft.headers.some(([name]) => name === 'host') ? [] : [`host: ${host}`];
  headers.push(...draft.headers.map(([name, value]) => `${name}: ${value}`));
  if (body !== null)
    headers.push(draft.isChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`);
  const head = Buffer.from(
    `${draft.method} ${pathOf(draft)} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`,
    'latin1',
  );
  if (body === null) return head;
  if (!draft.isChunked) return Buffer.concat([head, body]);
  const chunk =
    body.length === 0 ? [] : [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')];
  return Buffer.concat([head, ...chunk, Buffer.from('0\r\n\r\n')]);
}

function bodyOf({ body, json, rewrites, headers }: Draft): Buffer | null {
  if (body !== null) return body;
  if (json === undefined) return null;
  const isForm = headers.some(
    ([name, value]) => name === 'content-type' && value.endsWith('form-urlencoded'),
  );
  let text: string | Buffer = isForm ? formOf(json) : JSON.stringify(json);
  for (const rewrite of rewrites) if (typeof text === 'string') text = rewrite(text);
  return Buffer.from(text);
}

const formOf = (json: unknown): string =>
  typeof json === 'object' && json !== null
    ? Object.entries(json)
        .map(
          ([name, value]) =>
            `${encode(name)}=${encode(typeof value === 'object' ? JSON.stringify(value) : String(value))}`,
        )
        .join('&')
    : String(json);
