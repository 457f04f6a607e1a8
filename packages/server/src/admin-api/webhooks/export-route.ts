import { Type } from 'typebox';
import { may, staffOf } from '../../accounts/require-staff.ts';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toEndpointId, toEventId } from '../../platform/ids.ts';
import type { Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { DeliveryStatus } from '../../webhooks/delivery/read/deliveries-of.ts';
import { type DeliveryRecord, listDeliveries } from '../../webhooks/delivery/read/list-deliveries.ts';
import { adminOperations } from '../admin-operations.ts';
import { type Column, chosenIds, exportList } from '../export-list.ts';
import { csvAnswer } from '../payouts/csv-answer.ts';
import type { Exports } from '../running-exports.ts';
import { states } from './schemas.ts';

/** Registers the route that exports deliveries. */
export function exportRoute(
  app: App,
  { database }: Service,
  { pages, exports }: { pages: Pages; exports: Exports },
): void {
  const { rawOperation } = adminOperations(app, 'Webhooks');
  rawOperation(
    ['get', '/publishers/:publisherId/deliveries.csv', 'exportDeliveries'],
    {
      may: 'webhooks',
      summary: 'Export deliveries as CSV, newest first; also requires the `export` permission',
      query: {
        endpointId: Type.Optional(Type.String({ maxLength: 64 })),
        state: Type.Optional(Type.String({ enum: [...states] })),
        ids: chosenIds,
      },
      answers: { 200: csvAnswer },
    },
    (request, reply) => {
      const { publisherId } = request.params;
      if (!may(staffOf(request), 'export'))
        throw new Refusal(
          'Forbidden',
          "Your role can't export deliveries. An owner can change your role on the Team screen.",
        );
      const { endpointId, state, ids } = request.query;
      const filter = {
        publisherId,
        ...(endpointId !== undefined && { endpointId: toEndpointId(endpointId) }),
        eventIds: ids?.map(toEventId),
        status: state as DeliveryStatus | undefined,
      };
      return exportList(
        { database, exports, request, reply },
        {
          publisherId,
          name: 'deliveries',
          action: 'delivery.export',
          columns,
          readPage: (db, position) => listDeliveries(db, pages, filter, position),
        },
      );
    },
  );
}

const columns: readonly Column<DeliveryRecord>[] = [
  ['eventId', ({ eventId }) => ({ exactId: eventId })],
  ['endpointId', ({ endpointId }) => ({ exactId: endpointId })],
  ['kind', ({ kind }) => ({ text: kind })],
  ['test', ({ isTest }) => ({ figure: isTest ? 'yes' : 'no' })],
  ['status', ({ status }) => ({ figure: status })],
  ['attempts', ({ attemptCount }) => ({ figure: String(attemptCount) })],
  ['createdAt', ({ createdAt }) => ({ figure: createdAt.toISOString() })],
  ['finishedAt', ({ finishedAt }) => ({ figure: finishedAt?.toISOString() ?? null })],
  ['nextAttemptAt', ({ nextAttemptAt }) => ({ figure: nextAttemptAt?.toISOString() ?? null })],
  ['lastStatusCode', ({ lastStatusCode }) => ({ figure: lastStatusCode?.toString() ?? null })],
  ['lastError', ({ lastError }) => ({ text: lastError })],
  ['lastDurationMs', ({ lastDurationMs }) => ({ figure: lastDurationMs?.toString() ?? null })],
];
