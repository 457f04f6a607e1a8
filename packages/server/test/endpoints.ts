import type { Db } from '../src/platform/database/database.ts';
import { createEndpoint } from '../src/webhooks/endpoints/create-endpoint.ts';
import type { EventKind } from '../src/webhooks/event-kinds.ts';
import { testSealer } from './sealer.ts';
import { testActor } from './test-actor.ts';

/** Adds a webhook endpoint at any address, including private ones. */
export const addEndpoint = (db: Db, publisherId: string, url: string, eventKinds: readonly EventKind[]) =>
  createEndpoint({ db, sealer: testSealer, allowPrivateTargets: true }, testActor, {
    publisherId,
    url,
    eventKinds,
  });
