import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { resealServiceSecrets } from '../../platform/secrets/service-secret.ts';
import { resealEndpoints } from './reseal-endpoints.ts';

/** What a run over all stored secrets came to. */
export interface Resealed {
  sealed: number;
  /** Sealed with a key that is not here. */
  lost: number;
}

/** Seals everything with the first key that is not: what version 0.1.0 stored, and what an older key sealed. */
export async function resealSecrets(db: Db, sealer: Sealer, actor: Actor): Promise<Resealed> {
  const service = await resealServiceSecrets(db, sealer);
  const endpoints = await resealEndpoints(db, sealer, actor);
  return { sealed: service.sealed + endpoints.sealed, lost: service.lost + endpoints.lost };
}
