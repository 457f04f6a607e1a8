import type { Actor } from '../audit/actor.ts';
import { resealConnectors } from '../connectors/reseal-connectors.ts';
import { resealMethods } from '../payees/reseal-methods.ts';
import type { Db } from '../platform/database/database.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { resealServiceSecrets } from '../platform/secrets/service-secret.ts';
import { resealEndpoints } from '../webhooks/endpoints/reseal-endpoints.ts';
import { resealChannels } from './channels/reseal-channels.ts';

export interface Resealed {
  sealed: number;
  lost: number;
}

/**
 * Seals stored secrets with the first key if they are unsealed (stored by version 0.1.0) or sealed with an
 * older key.
 */
export async function resealSecrets(db: Db, sealer: Sealer, actor: Actor): Promise<Resealed> {
  const service = await resealServiceSecrets(db, sealer);
  const endpoints = await resealEndpoints(db, sealer, actor);
  const channels = await resealChannels(db, sealer, actor);
  const methods = await resealMethods(db, sealer, actor);
  const connectors = await resealConnectors(db, sealer, actor);
  return {
    sealed: service.sealed + endpoints.sealed + channels.sealed + methods.sealed + connectors.sealed,
    lost: service.lost + endpoints.lost + channels.lost + methods.lost + connectors.lost,
  };
}
