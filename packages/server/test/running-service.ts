import { afterAll, beforeAll, expect } from 'vitest';
import { type AttributionServer, killLeftovers, startServer } from './attribution-process.ts';
import { databaseUrl } from './database-url.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** Real `attribution serve` process with its own database. */
export interface RunningService {
  server: AttributionServer;
  /** Settings of the process, for running commands alongside it. */
  environment: Record<string, string>;
  testDatabase: TestDatabase;
}

/** Starts a service for all tests in a file. The service's output must not contain errors when it ends. */
export function useRunningService(settings: Record<string, string> = {}): () => RunningService {
  let running: RunningService | undefined;
  beforeAll(async () => {
    const testDatabase = await createTestDatabase();
    const environment = { DATABASE_URL: databaseUrl(testDatabase.connection), ...settings };
    running = { server: await startServer(environment), environment, testDatabase };
  });
  afterAll(async () => {
    if (running === undefined) return;
    const { server, testDatabase } = running;
    server.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    killLeftovers();
    await testDatabase.drop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
  return () => {
    if (running === undefined) throw new Error('the service is not running');
    return running;
  };
}
