import { afterAll, beforeAll, expect } from 'vitest';
import { type AppOptions, buildApp } from '../src/app.ts';
import { type Clock, systemClock } from '../src/platform/clock.ts';
import type { DatabaseOptions } from '../src/platform/database/database.ts';
import type { App } from '../src/platform/http/app-type.ts';
import type { ProviderUrls } from '../src/portal/providers/open-providers.ts';
import type { IssuedKey } from '../src/program-file/apply-program.ts';
import { applyProgram } from './apply-program.ts';
import { requireSameAnswers } from './compare-ways.ts';
import { composeTestService } from './compose-test-service.ts';
import { expectDocumented } from './documented-response.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Body as JSON; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies of any shape
  body: any;
}

export interface CallOptions {
  key?: string | null;
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string> | string;
  raw?: string | Buffer;
}

export interface TestService {
  url: string;
  app: App;
  testDatabase: TestDatabase;
  /** Sends a request, by default with the secret key, and checks the response against the API document. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  provision(yaml: string): Promise<IssuedKey[]>;
  close(): Promise<void>;
}

export interface ServiceOptions {
  environment?: Record<string, string>;
  clock?: Clock;
  /** Database connection options, for tests of these options. */
  database?: Partial<DatabaseOptions>;
  /** Database that the test creates and drops. */
  on?: TestDatabase;
  /** Another process of the same installation. */
  beside?: TestService;
  /** Receives log lines at level debug. */
  log?: string[];
  /** Port to listen on; any free one by default. */
  port?: number;
  /** URLs of the providers that creators sign in with. */
  providerUrls?: ProviderUrls;
  /** Compares both ways of answering. With COMPARE_WAYS=true, they are compared in all tests. */
  compareDirect?: AppOptions['compareDirect'];
}

export async function startService({
  environment = {},
  clock = systemClock,
  database: databaseOptions = {},
  on,
  beside,
  log,
  port = 0,
  providerUrls,
  compareDirect,
}: ServiceOptions = {}): Promise<TestService> {
  const testDatabase = on ?? beside?.testDatabase ?? (await createTestDatabase(databaseOptions));
  const { database } = testDatabase;
  const app = await buildApp(composeTestService(database, { environment, clock, log, providerUrls }), {
    compareDirect: compareDirect ?? (process.env.COMPARE_WAYS === 'true' ? requireSameAnswers : undefined),
  });
  const url = await app.listen({ host: '127.0.0.1', port });
  const service: TestService = {
    url,
    app,
    testDatabase,
    async call(method, path, { key, headers = {}, json, form, raw } = {}) {
      const sent = new Headers(headers);
      if (key !== null && key !== undefined) sent.set('x-shared-secret', key);
      if (json !== undefined) sent.set('content-type', 'application/json');
      if (form !== undefined) sent.set('content-type', 'application/x-www-form-urlencoded');
      const body =
        json !== undefined
          ? JSON.stringify(json)
          : form !== undefined
            ? new URLSearchParams(form).toString()
            : raw;
      const response = await fetch(url + path, {
        method,
        headers: sent,
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      const answer = { status: response.status, headers: response.headers, text, body: parse(text) };
      expect(answer.headers.get('x-request-id'), 'every answer carries a request id').toBeTruthy();
      expectDocumented(app, method, path, answer);
      return answer;
    },
    async provision(yaml) {
      const { keys } = await applyProgram(database.db, yaml, 'test.yaml');
      return keys;
    },
    async close() {
      await app.close();
      if (beside === undefined && on === undefined) await testDatabase.drop();
    },
  };
  return service;
}

/** Starts a service for all tests in a file. */
export function useService(options: ServiceOptions = {}): () => TestService {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await startService(options);
  });
  afterAll(() => service?.close());
  return () => {
    if (service === undefined) throw new Error('the service is not started');
    return service;
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
