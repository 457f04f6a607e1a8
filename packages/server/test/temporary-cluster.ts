import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedCluster, startCluster } from '../src/platform/database/embedded/embedded-cluster.ts';

/**
 * A real PostgreSQL of its own, gone with everything in it when stopped.
 * @param settings `name=value`, over those of the embedded one
 */
export async function temporaryCluster(settings: readonly string[] = []): Promise<EmbeddedCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-'));
  chmodSync(folder, 0o711); // started by root, PostgreSQL runs as another user, who must get through
  const cluster = await startCluster({ directory: join(folder, 'postgres'), settings });
  return {
    ...cluster,
    async stop() {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
