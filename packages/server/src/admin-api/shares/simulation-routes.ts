import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TierId } from '../../platform/database/tables.generated.ts';
import type { App } from '../../platform/http/app-type.ts';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import { toScheduleId } from '../../platform/ids.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { findOverlaps } from '../../revenue-shares/schedules/find-overlaps.ts';
import { type Simulation, simulateSchedule, simulationBounds } from '../../settlement/simulate-schedule.ts';
import { adminOperations } from '../admin-operations.ts';
import { minor, nullable, time } from '../schemas.ts';
import { readShares, shareFields } from './schedule-schemas.ts';

/**
 * Time limit for a simulation. The simulation runs while a person types, so a later result would be useless.
 */
const maxMs = 2_000;
const maxDays = 366;

const figures = {
  rows: Type.Integer({ description: 'Number of rows, excluding test purchases.' }),
  gross: minor("Sum of the rows' subtotals."),
  before: minor('Sum of the shares as recorded.'),
  after: minor('Sum of the shares with the schedule.'),
  delta: minor('Extra cost of the schedule; negative if it would have cost less.'),
  sentRows: Type.Integer({
    description: 'Number of rows that were not affected because they were sent with a percentage.',
  }),
  skuRows: Type.Integer({
    description: 'Number of rows that were not affected because their SKU has its own share.',
  }),
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
              {
                tierId: nullable(
                  Type.String({ description: 'Id of the tier; null for members without a tier.' }),
                ),
                ...figures,
              },
              { title: 'SimulatedTier' },
            ),
          ),
        },
        { title: 'SimulatedCurrency' },
      ),
    ),
    rows: Type.Integer({ description: 'Number of rows simulated.' }),
    reversedRows: Type.Integer({
      description:
        'Number of these rows that were reversed. The sums exclude them, because they earn nothing.',
    }),
    isWhole: Type.Boolean({ description: 'True if the whole window was simulated.' }),
    lookedFrom: time('Start of the simulated part, which always extends to the end of the window.'),
    until: time('End of the window (exclusive).'),
    clashes: Type.Array(
      Type.Object(
        {
          scheduleId: Type.String(),
          startsAt: time('Start of the window.'),
          endsAt: time('End of the window (exclusive).'),
        },
        { title: 'ScheduleClash' },
      ),
      { description: 'Existing schedules that overlap the planned window and would prevent its creation.' },
    ),
  },
  { title: 'ScheduleSimulation' },
);

export function simulationRoutes(app: App, { database: { db }, clock }: Service): void {
  const { operation } = adminOperations(app, 'Shares');
  operation(
    ['post', '/publishers/:publisherId/schedules/simulate', 'simulateShareSchedule'],
    {
      may: 'program',
      summary: 'Simulate the cost of a schedule in a past window',
      description:
        'Applies the share rules again to the purchases in the window, with the other rules as they were recorded. ' +
        `Reads at most ${simulationBounds.rows} rows, newest first, for at most two seconds. The response shows which part of the window was read.`,
      body: Type.Object(
        {
          ...shareFields,
          from: timestamp('Start of the past window.'),
          until: timestamp('End of the past window (exclusive).'),
          planned: Type.Optional(
            Type.Object(
              {
                startsAt: timestamp('Start of the planned window.'),
                endsAt: timestamp('End of the planned window (exclusive).'),
                scheduleId: Type.Optional(
                  Type.String({
                    maxLength: 21,
                    description: 'Id of the existing schedule that the planned schedule would replace.',
                  }),
                ),
              },
              { ...closed, description: 'Planned window, to check for overlaps.' },
            ),
          ),
        },
        closed,
      ),
      answer: simulation,
    },
    async ({ params: { publisherId }, body, socket }) => {
      const group = { publisherId, groupId: await findGroup(db, publisherId, body.groupId) };
      const window = { from: readTimestamp(body.from), until: readTimestamp(body.until) };
      checkWindow(window);
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
        { ...simulationBounds, mayContinue: withinTimeLimit(clock, () => !socket.destroyed) },
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
      return { ...shown(result), until: window.until.toISOString(), clashes };
    },
  );
}

/** Returns a check that is true until the client disconnects or the time limit is reached. */
function withinTimeLimit(clock: Clock, isConnected: () => boolean): () => boolean {
  const startMs = clock.now().getTime();
  return () => isConnected() && clock.now().getTime() - startMs < maxMs;
}

function checkWindow({ from, until }: { from: Date; until: Date }): void {
  if (until <= from) throw new Refusal('InvalidDate', '`until` must be after `from`.', { path: ['until'] });
  if (until.getTime() - from.getTime() > maxDays * 86_400_000)
    throw new Refusal('InvalidDate', `The window can be at most ${maxDays} days long.`, { path: ['from'] });
}

type Cell = Simulation['cells'][number];

function shown({ cells, lookedFrom, ...rest }: Simulation) {
  const currencies = [...new Set(cells.map(({ currency }) => currency))];
  return {
    ...rest,
    lookedFrom,
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
  const count = (figure: (cell: Cell) => number): number =>
    cells.reduce((sum, cell) => sum + figure(cell), 0);
  const money = (figure: (cell: Cell) => bigint): string =>
    String(cells.reduce((sum, cell) => sum + figure(cell), 0n));
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
