import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedCluster, startCluster } from '../src/platform/database/embedded/embedded-cluster.ts';

/**
 * Starts a real PostgreSQL that is deleted when stopped.
 * @param settings `name=value`, overriding the embedded server's settings
 */
export async function temporaryCluster(settings: readonly string[] = []): Promise<EmbeddedCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-'));
  chmodSync(folder, 0o711); // PostgreSQL started by root runs as another user, who needs access
  const cluster = await startCluster({ directory: join(folder, 'postgres'), settings });
  return {
    ...cluster,
    async stop() {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
