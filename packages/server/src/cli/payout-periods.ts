import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { openPayees } from '../payees/open-payees.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';
import { bundleMonth } from '../settlement/payouts/month/bundle-month.ts';
import { readMonthSpan } from '../settlement/payouts/month/month-span.ts';
import { exportYear } from '../settlement/payouts/year/export-year.ts';
import { readYearSpan } from '../settlement/payouts/year/year-span.ts';
import type { PublisherOptions, Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';

interface MonthOptions extends PublisherOptions {
  month: string;
}

interface YearOptions extends PublisherOptions {
  year: string;
}

/** Adds the commands that write a month's or a year's files. */
export function addPayoutPeriodCommands(
  add: (name: string, description: string) => Command,
  { dataOutput }: CommandTools,
  withPayouts: <Options extends PublisherOptions>(
    action: (work: Work, options: Options) => Promise<void>,
  ) => (options: Options, command: Command) => Promise<void>,
): void {
  add(
    'month',
    "Write a month's statements, payouts, clawbacks and balances as a ZIP file to standard output.",
  )
    .addOption(
      new Option('--month <month>', 'UTC month, such as 2026-10').argParser(utcMonth).makeOptionMandatory(),
    )
    .action(
      withPayouts(async ({ db }, { publisher, month }: MonthOptions) => {
        await requirePublisher(db, publisher);
        const span = await readMonthSpan(db, publisher, month);
        await pipeline(Readable.from(bundleMonth(db, span), { objectMode: false }), dataOutput, {
          end: false,
        });
      }),
    );
  add('year', 'Write what each creator was paid in a calendar year as CSV to standard output.')
    .addOption(
      new Option('--year <year>', 'calendar year (UTC), such as 2026')
        .argParser(utcYear)
        .makeOptionMandatory(),
    )
    .action(
      withPayouts(async ({ db, sealer }, { publisher, year }: YearOptions) => {
        await requirePublisher(db, publisher);
        const span = await readYearSpan(db, publisher, year);
        await exportYear(db, { span, openPayees: openPayees(db, sealer, publisher) }, dataOutput);
      }),
    );
}

function utcMonth(text: string): string {
  if (!/^(19[7-9]\d|20\d\d)-(0[1-9]|1[0-2])$/.test(text))
    throw new InvalidArgumentError('It must be a month, such as 2026-10.');
  return text;
}

function utcYear(text: string): string {
  if (!/^(19[7-9]\d|20\d\d)$/.test(text)) throw new InvalidArgumentError('It must be a year, such as 2026.');
  return text;
}
