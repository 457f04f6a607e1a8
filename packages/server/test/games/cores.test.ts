import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cases, cores, useDriver } from './cores.ts';

interface Delay {
  attempt: number;
  status: number | null;
  retryAfter: string | null;
  minMs?: number;
  maxMs?: number;
  stops?: true;
}

const repository = join(import.meta.dirname, '../../../..');
const read = (path: string) => JSON.parse(readFileSync(join(repository, path), 'utf8'));
const { delays }: { delays: Delay[] } = read('packages/client/test/cases.json');
const api = read('docs/openapi.generated.json');

const key = 'svc_pk_0123456789abcdefghijABCDEFGHIJ01234567';
const base = { baseUrl: 'https://creators.example', key };
const member = {
  ...{ groupId: 'main', groupName: 'Main', id: 'acc_alice', name: 'Alice', codes: [] },
  ...{ groupDefaultRevShare: 10, codeTTLInDays: 30 },
};
const scripted = (responses: readonly unknown[]) =>
  responses.map((each) => (each === 'member' ? { body: JSON.stringify(member) } : each));

interface Content {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Get {
  operationId: string;
  security: object[];
  responses: Record<string, { content?: Record<string, Content> }>;
}

const bodiesOf = ({ example, examples = {} }: Content): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ value }) => value),
];

/** Documented responses of the reads that a public key may call. */
const examples = Object.values<{ get?: Get }>(api.paths)
  .flatMap(({ get }) => (get === undefined ? [] : [get]))
  .filter(
    ({ security, operationId }) => operationId !== 'ping' && security.some((kind) => 'publicKey' in kind),
  )
  .flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.values(content)
        .flatMap(bodiesOf)
        .map((body): [string, number, unknown] => [operationId, Number(status), body]),
    ),
  );

describe.each(cores)('$name', (core) => {
  describe.skipIf(!core.isInstalled)('shared cases', () => {
    const driver = useDriver(core);
    const call = (command: object, responses: readonly unknown[]) =>
      driver.run({ do: 'call', ...base, ...command, responses: scripted(responses) });

    test.each(cases.addresses)('base address $baseUrl', async ({ baseUrl, is }) => {
      const answer = await driver.run({ do: 'options', baseUrl, key });
      if (is === undefined) expect(answer.thrown).toContain('base address');
      else expect(answer).toEqual({ baseAddress: is });
    });

    test.each(cases.keys)('key %j', async ({ key: each, isValid, message }) => {
      const answer = await driver.run({ do: 'options', ...base, key: each });
      if (isValid) expect(answer).toEqual({ baseAddress: base.baseUrl });
      else expect(answer.thrown).toContain(message);
    });

    test.each(cases.requests)('%j', async ({ path, isRejected, ...command }) => {
      const { requests, result } = await call(command, [{ status: 404 }]);
      if (isRejected) expect([requests, result.error.kind]).toEqual([[], 'InvalidInput']);
      else expect(requests).toEqual([{ at: 10, url: `${base.baseUrl}${path}`, key }]);
    });

    test('malformed text is not sent', async () => {
      for (const malformed of core.malformedIds) {
        const { requests, result } = await call({ call: 'getMemberByCode', ...malformed }, []);
        expect([requests, result.error.kind]).toEqual([[], 'InvalidInput']);
      }
    });

    test.each(cases.json.same)('reads and writes %s', async (text) => {
      expect(await writes(text)).toBe(text);
    });

    test.each(cases.json.read)('reads $text', async ({ text, is }) => {
      expect(await writes(text)).toBe(is);
    });

    test.each(cases.json.malformed)('rejects %j', async (text) => {
      expect((await driver.run({ do: 'json', text })).thrown).toContain('malformed');
    });

    test('limits the depth', async () => {
      const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
      expect(await writes(nested(cases.json.maxDepth))).toBe(nested(cases.json.maxDepth));
      for (const depth of [cases.json.maxDepth + 2, 1_000_000])
        expect((await driver.run({ do: 'json', text: nested(depth) })).thrown).toContain('malformed');
    });

    /** Returns the text that the core writes for a text that it read. */
    const writes = async (text: string): Promise<string> => (await driver.run({ do: 'json', text })).written;

    test.each(delays)(
      'pauses as the TypeScript client does: %o',
      async ({ attempt, status, retryAfter, ...delay }) => {
        const nowMs = Date.parse('2026-01-01T00:00:00Z');
        const delayOf = async (random: number) =>
          (await driver.run({ do: 'delay', attempt, status, retryAfter, random, nowMs })).delayMs ?? null;
        const range = [await delayOf(0), await delayOf(1)].toSorted((a, b) => a - b);
        expect(range).toEqual('stops' in delay ? [null, null] : [delay.minMs, delay.maxMs]);
      },
    );

    test.each(cases.responses)('$name', async ({ responses, value, error, tries, sentAt, ...rest }) => {
      const { canceled, elapsedMs, name, ...command } = rest;
      const answer = await call({ id: 'ALICE', ...command }, responses);
      const isCanceled = value === undefined && error === undefined;
      if (value) expect(answer.result).toMatchObject({ value });
      else
        expect(answer.result?.error).toEqual(
          isCanceled ? undefined : expect.objectContaining({ ...error, tries }),
        );
      if (tries !== undefined) expect(answer.requests).toHaveLength(tries);
      if (sentAt !== undefined) expect(answer.requests.map(({ at }: { at: number }) => at)).toEqual(sentAt);
      expect(answer).toMatchObject({
        canceled: canceled ?? 0,
        ...(elapsedMs !== undefined && { elapsedMs }),
      });
    });

    test.each(examples)('%s reads the documented response %i', async (operation, status, body) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const { result } = await call({ call: operation, id: 'ALICE', totalTimeoutMs: 1 }, [
        { status, body: text },
      ]);
      if (status === 200) expect(result.value).toEqual(read200(body));
      else expect(result.error).toMatchObject({ kind: 'Rejected', status, ...(body as object) });
    });

    test.each(cases.fields)(
      'code field: $name',
      async ({ steps, responses, changes, sent, canceled, ...rest }) => {
        const command = {
          do: 'field',
          ...base,
          endMs: 6_000,
          ...rest,
          steps,
          responses: scripted(responses),
        };
        const answer = await driver.run(command);
        const shown = answer.changes.map((each: Record<string, unknown>) =>
          [each.at, each.text, each.state, each.member ?? each.code ?? ''].join(' ').trimEnd(),
        );
        if (changes) expect(shown).toEqual(changes.map((each: string) => each.trimEnd()));
        const asked = answer.requests.map(
          ({ at, url }: { at: number; url: string }) => `${at} ${/members\/([^?]*)/.exec(url)?.[1]}`,
        );
        expect(asked).toEqual(sent);
        expect(answer.canceled).toBe(canceled ?? 0);
      },
    );

    test('the code field caches at most 100 codes', async () => {
      const texts = Array.from({ length: 101 }, (_, index) => `c${index}`);
      const steps = [...texts, 'c100', 'c1', 'c0'].map((text, index) => ({ at: index * 1_000, text }));
      const responses = texts.map(() => 'member');
      const command = {
        do: 'field',
        ...base,
        endMs: 110_000,
        steps,
        responses: scripted([...responses, 'member']),
      };
      const { requests } = await driver.run(command);
      expect(requests.slice(101).map(({ url }: { url: string }) => url)).toEqual([
        `${base.baseUrl}/v1/manage/members/c0`,
      ]);
    });
  });
});

/** Returns a documented response as the cores show it, which have one name for the codes of a creator. */
function read200(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('referralCodes' in body)) return body;
  const { referralCodes: codes, ...rest } = body;
  return { ...rest, codes };
}
