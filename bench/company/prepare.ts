import type pg from 'pg';
import { serviceActor } from '../../packages/server/src/audit/actor.ts';
import { applyProgramFile } from '../../packages/server/src/program-file/apply-program.ts';
import { readProgramFile } from '../../packages/server/src/program-file/read-program.ts';
import { type BenchService, openBenchDatabase } from '../lib/bench-service.ts';
import { addRows, waitUntilPosted } from '../lib/rows.ts';
import { heavyGroup, heavyMembers, members, neighborId } from './world.ts';

/** Creates the two publishers. @returns the quiet publisher's key and the neighbor's two keys */
export async function makePublishers(
  service: BenchService,
): Promise<{ quietKey: string; secretKey: string; publicKey: string }> {
  const database = openBenchDatabase(service);
  const apply = async (program: object): Promise<string[]> => {
    const file = readProgramFile(JSON.stringify(program), 'company.json');
    return (await applyProgramFile(database.db, serviceActor, file)).keys.map(({ key }) => key);
  };
  const [quietKey = ''] = await apply({
    publisher: { id: 'quiet', apiKeys: [{ name: 'backend', kind: 'secret' }] },
    groups: [{ id: 'main', revShare: 10, members: [{ id: 'quiet_0', codes: [{ code: 'QUIET' }] }] }],
  });
  const [secretKey = '', publicKey = ''] = await apply({
    publisher: {
      id: neighborId,
      apiKeys: [
        { name: 'backend', kind: 'secret' },
        { name: 'game', kind: 'public' },
      ],
    },
    groups: [
      {
        id: 'main',
        default: true,
        revShare: 10,
        holdDays: 0,
        members: Array.from({ length: members }, (_, n) => ({
          id: `busy_${n}`,
          playerId: `p-${n}`,
          codes: [{ code: `BUSY${n}` }],
        })),
      },
      {
        id: heavyGroup,
        revShare: 10,
        members: Array.from({ length: heavyMembers }, (_, n) => ({ id: `heavy_${n}`, playerId: `h-${n}` })),
      },
    ],
  });
  await database.close();
  await service.client.query(
    `update membership set player_metadata = json_build_object('about', repeat('x', 8000))
     where publisher_id = $1 and group_id = $2`,
    [neighborId, heavyGroup],
  );
  return { quietKey, secretKey, publicKey };
}

const step = 50_000;

/** Adds rows for the neighbor. The service itself posts the rows. */
export async function makeRows(client: pg.Client, rows: number): Promise<void> {
  const days = 60;
  for (let from = 0; from < rows; from += step) {
    await addRows(client, {
      publisherId: neighborId,
      groupId: 'main',
      count: Math.min(step, rows - from),
      fromDaysAgo: days,
      toDaysAgo: 0,
    });
  }
  await waitUntilPosted(client);
}
