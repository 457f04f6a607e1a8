import { sql } from 'kysely';
import { type Actor, serviceActor } from '../audit/actor.ts';
import { commandLimits } from '../platform/database/connections/limits.ts';
import { type Db, openDatabase } from '../platform/database/database.ts';
import { requireKey, type Sealer, type SealState, sealedStart } from '../platform/secrets/sealer.ts';
import { resealServiceSecrets } from '../platform/secrets/service-secret.ts';
import { resealEndpoints } from '../webhooks/endpoints/reseal-endpoints.ts';
import type { Installation } from './open-installation.ts';

/** What a run over all stored secrets came to. */
export interface Resealed {
  sealed: number;
  /** Sealed with a key that is not here. */
  lost: number;
}

/** Seals everything with the first key that is not: what version 0.1.0 stored, and what an older key sealed. */
export async function resealAll(db: Db, sealer: Sealer, actor: Actor): Promise<Resealed> {
  const service = await resealServiceSecrets(db, sealer);
  const endpoints = await resealEndpoints(db, sealer, actor);
  return { sealed: service.sealed + endpoints.sealed, lost: service.lost + endpoints.lost };
}

/** Seals what version 0.1.0 stored; what an older key sealed stays, until it is asked for. */
export async function sealPlainSecrets({ connection, sealer }: Installation): Promise<void> {
  const database = openDatabase({
    connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'attribution-command',
    limits: commandLimits,
  });
  try {
    const { plain } = await countSecrets(database.db, sealer);
    if (plain > 0) await resealAll(database.db, sealer, serviceActor);
  } finally {
    await database.close();
  }
}

/** How many stored secrets stand how to the sealer's keys. */
export async function countSecrets(db: Db, sealer: Sealer): Promise<Record<SealState, number>> {
  const counts = { plain: 0, current: 0, 'older-key': 0, 'unknown-key': 0 };
  const { rows } = await sql<{ start: string; n: number }>`
    select start, count(*)::int as n
    from (
      select left(secret, ${sealedStart}) as start from webhook_endpoint
      union all
      select left(next_secret, ${sealedStart}) from webhook_endpoint where next_secret is not null
      union all
      select encode(substring(value for ${sealedStart}), 'escape') from service_secret
    ) s
    group by start`.execute(db);
  for (const { start, n } of rows) counts[sealer.stateOf(start)] += n;
  return counts;
}

/** @returns whether the older keys are needed no more */
export async function rotateSecretsCommand(
  { db, sealer, actor }: { db: Db; sealer: Sealer; actor: Actor },
  { json }: { json?: boolean },
  print: (line: string) => void,
): Promise<boolean> {
  requireKey(sealer);
  const { sealed, lost } = await resealAll(db, sealer, actor);
  if (json) print(JSON.stringify({ sealed, lost }));
  else
    print(
      lost === 0
        ? `${sealed} sealed anew. Everything is sealed with the first key; older ones are needed no more.`
        : `${sealed} sealed anew. ${lost} are sealed with a key that is not among these: add it, behind the first one, and run this again.`,
    );
  return lost === 0;
}
