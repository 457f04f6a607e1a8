import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TierId } from '../../platform/database/tables.generated.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import { toScheduleId } from '../../platform/ids.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { findOverlaps } from '../../revenue-shares/schedules/find-overlaps.ts';
import { type Simulation, simulateSchedule, simulationBounds } from '../../settlement/simulate-schedule.ts';
import { adminErrors, minor, nullable, publisherPath, time } from '../schemas.ts';
import { readShares, shareFields } from './schedule-schemas.ts';

/** Somebody is typing: an answer later than that is of no use. */
const maxMs = 2_000;
const maxDays = 366;

const figures = {
  rows: Type.Integer({ description: 'Purchases, split rows counted one by one; test rows left out.' }),
  gross: minor('What was paid for them.'),
  before: minor('What creators earned of it.'),
  after: minor('What they would have earned.'),
  delta: minor('The difference: what the schedule would have cost more, negative for less.'),
  sentRows: Type.Integer({ description: 'Untouched, because a percent was sent with them.' }),
  skuRows: Type.Integer({ description: 'Untouched, because their SKU has a share of its own.' }),
};

const simulation = Type.Object(
  {
    currencies: Type.Array(
      Type.Object(
        {
          currency: Type.String(),
          ...figures,
          tiers: Type.Array(
            Type.Object(
              { tierId: nullable(Type.String({ description: 'Null: members without a tier.' })), ...figures },
              { title: 'SimulatedTier' },
            ),
          ),
        },
        { title: 'SimulatedCurrency' },
      ),
    ),
    rows: Type.Integer({ description: 'Looked at.' }),
    reversedRows: Type.Integer({
      description: 'Of those, taken back since: they count nowhere, for they earned nothing in the end.',
    }),
    isWhole: Type.Boolean({ description: 'Whether all of the window was looked at.' }),
    lookedFrom: time('The newest part, from this moment until the end of the window, was looked at.'),
    until: time('The end of the window.'),
    clashes: Type.Array(
      Type.Object(
        { scheduleId: Type.String(), startsAt: time('From.'), endsAt: time('Until, not included.') },
        { title: 'ScheduleClash' },
      ),
      { description: 'Schedules that the planned window overlaps; it would be refused.' },
    ),
  },
  { title: 'ScheduleSimulation' },
);

export function simulationRoutes(app: App, { database: { db }, clock }: Service): void {
  app.post(
    '/publishers/:publisherId/schedules/simulate',
    {
      config: { staff: 'program' },
      schema: {
        operationId: 'simulateShareSchedule',
        summary: 'What a schedule would have cost in a past window',
        description:
          'Runs the rules once more over the purchases of the window, with what each keeps of the other rules. ' +
          `At most ${simulationBounds.rows} purchases are looked at, the newest first, and for two seconds; the answer says how much of the window that is.`,
        tags: ['Shares'],
        params: publisherPath,
        body: Type.Object(
          {
            ...shareFields,
            from: timestamp('First moment of the past window.'),
            until: timestamp('It ends before this moment.'),
            planned: Type.Optional(
              Type.Object(
                {
                  startsAt: timestamp('First moment of the planned window.'),
                  endsAt: timestamp('It ends before this moment.'),
                  scheduleId: Type.Optional(
                    Type.String({ maxLength: 21, description: 'The schedule that would be replaced.' }),
                  ),
                },
                { ...closed, description: 'To be told what it overlaps.' },
              ),
            ),
          },
          closed,
        ),
        response: { 200: simulation, ...adminErrors },
      },
    },
    async ({ params: { publisherId }, body, socket }, reply) => {
      const group = { publisherId, groupId: await findGroup(db, publisherId, body.groupId) };
      const window = { from: readTimestamp(body.from), until: readTimestamp(body.until) };
      refuseWindow(window);
      const { shareMillionths, tierShares } = readShares(body);
      const result = await simulateSchedule(
        db,
        {
          ...group,
          ...window,
          shareMillionths,
          tierShares: new Map<TierId, number>(
            tierShares.map(({ tierId, shareMillionths }) => [tierId, shareMillionths]),
          ),
        },
        { ...simulationBounds, goesOn: patience(clock, () => !socket.destroyed) },
      );
      const { planned } = body;
      const clashes =
        planned === undefined
          ? []
          : await findOverlaps(db, group, {
              except: planned.scheduleId === undefined ? null : toScheduleId(planned.scheduleId),
              startsAt: readTimestamp(planned.startsAt),
              endsAt: readTimestamp(planned.endsAt),
            });
      return sendJson(reply, { ...shown(result), until: window.until.toISOString(), clashes });
    },
  );
}

/** While somebody waits, and not for too long. */
function patience(clock: Clock, isAsked: () => boolean): () => boolean {
  const begun = clock.now().getTime();
  return () => isAsked() && clock.now().getTime() - begun < maxMs;
}

function refuseWindow({ from, until }: { from: Date; until: Date }): void {
  if (until <= from) throw new Refusal('InvalidDate', 'until must be after from', { path: ['until'] });
  if (until.getTime() - from.getTime() > maxDays * 86_400_000)
    throw new Refusal('InvalidDate', `the window may have at most ${maxDays} days`, { path: ['from'] });
}

type Cell = Simulation['cells'][number];

function shown({ cells, lookedFrom, ...rest }: Simulation) {
  const currencies = [...new Set(cells.map(({ currency }) => currency))];
  return {
    ...rest,
    lookedFrom: lookedFrom.toISOString(),
    currencies: currencies.map((currency) => {
      const tiers = cells.filter((cell) => cell.currency === currency);
      return {
        currency,
        ...shownFigures(tiers),
        tiers: tiers.map((cell) => ({ tierId: cell.tierId, ...shownFigures([cell]) })),
      };
    }),
  };
}

function shownFigures(cells: readonly Cell[]) {
  const count = (of: (cell: Cell) => number): number => cells.reduce((sum, cell) => sum + of(cell), 0);
  const money = (of: (cell: Cell) => bigint): string =>
    String(cells.reduce((sum, cell) => sum + of(cell), 0n));
  return {
    rows: count(({ rows }) => rows),
    gross: money(({ grossMinor }) => grossMinor),
    before: money(({ beforeMinor }) => beforeMinor),
    after: money(({ afterMinor }) => afterMinor),
    delta: money(({ beforeMinor, afterMinor }) => afterMinor - beforeMinor),
    sentRows: count(({ sentRows }) => sentRows),
    skuRows: count(({ skuRows }) => skuRows),
  };
}
