import { type BenchService, startBenchService } from './bench-service.ts';

/** PostgreSQL settings for millions of rows. The plain tables are measured with the same settings. */
export const settingsForMillions = ['shared_buffers=4GB', 'max_wal_size=8GB'];

const stopWithinMs = 60_000;

/**
 * Runs a benchmark on its own service, and cleans up even if the benchmark fails, is interrupted, or takes longer than
 * `maxMinutes`.
 */
export async function withBenchService(
  { settings = [], maxMinutes }: { settings?: readonly string[]; maxMinutes: number },
  work: (service: BenchService) => Promise<void>,
): Promise<void> {
  const service = await startBenchService(settings);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`the benchmark did not finish within ${maxMinutes} minutes`)),
    maxMinutes * 60_000,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => reject(new Error(`interrupted by ${signal}`)));
  try {
    await Promise.race([work(service), ended]);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    clearTimeout(timer);
    // Unfinished work may be waiting for a database that no longer exists.
    setTimeout(() => process.exit(), stopWithinMs).unref();
    await service.stop();
    process.exit();
  }
}
