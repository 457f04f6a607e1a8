import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as errors from '../src/errors.ts';
import { Attribution, type ConnectionOptions } from '../src/index.ts';
import * as operations from '../src/operations.ts';
import { calls } from './calls.ts';
import cases from './cases.json' with { type: 'json' };

interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
}
interface Documented {
  operationId: string;
  parameters?: Parameter[];
}
const document = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.generated.json', import.meta.url), 'utf8'),
);
const documented = Object.entries<Record<string, Documented>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, each]) => ({ path, method: method.toUpperCase(), ...each })),
);
const known = Object.values(operations);

/** Parameters that callers don't set, and why. */
const setByTheClient: Readonly<Record<string, string>> = {
  'query useLDCurrency': 'amounts are always minor units, which money() makes of major units',
  'query repeat': 'record() always asks for what was saved',
  'header Idempotency-Key': 'the same as repeat',
  'header X-Strict': 'an option of the client',
};

/** Codes that no operation of the publisher's API returns. */
const ofOtherApis = ['SignInAgain', 'Stale'];

test('each operation of the API document has a method, a path and a retry rule', () => {
  const described = documented.map(({ operationId, method, path }) => ({ id: operationId, method, path }));
  const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
  expect(known.map(({ id, method, path }) => ({ id, method, path })).toSorted(byId)).toEqual(
    described.toSorted(byId),
  );
  expect(Object.fromEntries(known.map(({ id, isRepeatable }) => [id, isRepeatable]))).toEqual(
    cases.isRepeatable,
  );
  expect(Object.keys(calls).toSorted()).toEqual(documented.map(({ operationId }) => operationId).toSorted());
});

test.each(documented)('$operationId sends its path and all its parameters', async (operation) => {
  const { operationId, method, path, parameters = [] } = operation;
  const sent: { url: URL; init: RequestInit }[] = [];
  const send: ConnectionOptions['fetch'] = async (url, init) => {
    sent.push({ url: new URL(url), init });
    return Response.json({}, { status: 400 });
  };
  const client = new Attribution({
    baseUrl: 'https://a.example/b/v1/',
    key: 'svc_sk_x',
    strict: true,
    fetch: send,
  });
  const inQuery = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const query = Object.fromEntries(inQuery.map((name) => [name, name === 'page' ? 7 : `value of ${name}`]));
  await calls[operationId]?.(client, query, 'a/ö').catch(() => undefined);
  const [request] = sent;
  const pattern = path.replace(/\{\w+\}/g, '[^/]+');
  expect(request?.init.method).toBe(method);
  expect(request?.url.pathname).toMatch(new RegExp(`^/b${pattern}$`));
  for (const { name, in: place } of parameters) {
    if (place === 'path') continue;
    if (`${place} ${name}` in setByTheClient) continue;
    expect(request?.url.searchParams.get(name), name).toBe(String(query[name]));
  }
  expect(new Headers(request?.init.headers).get('x-strict')).toBe('true');
});

test('each documented error code has a class of the same name', () => {
  const [{ enum: codes }] = document.components.schemas.ErrorCode.anyOf;
  const ofThisApi = codes.filter((code: string) => !ofOtherApis.includes(code));
  expect(Object.keys(errors.errorClasses).toSorted()).toEqual([...ofThisApi, 'CurrencyDisabled'].toSorted());
  for (const [code, errorClass] of Object.entries(errors.errorClasses)) expect(errorClass.name).toBe(code);
});
