import type { Actor } from '../../audit/actor.ts';
import type { Program } from '../../publishers/programs.ts';
import type { Connector } from '../connector-record.ts';
import type { EventDeps } from './deps.ts';
import type { TakenEvent } from './take-events.ts';

/** Event that is worked on, with its surroundings. */
export interface EventWork {
  deps: EventDeps;
  connector: Connector;
  event: TakenEvent;
  program: Program;
}

/** Actor of the changes that a connector makes. */
export const actorOfConnector = ({ connectorId, name }: Connector): Actor => ({
  kind: 'service',
  id: connectorId,
  name: `Connector ${name}`,
});

/** Returns the id of a provider's order as a transaction id. A bare number gets the provider's name. */
export const transactionIdOf = ({ provider }: Connector, orderId: string): string =>
  /^\d+$/.test(orderId) ? `${provider}:${orderId}` : orderId;
