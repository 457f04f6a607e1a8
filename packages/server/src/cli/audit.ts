import { type Command, InvalidArgumentError, Option } from 'commander';
import { actorKinds } from '../audit/actor.ts';
import { type AuditEntry, type ChangeFilter, listChanges } from '../audit/list-changes.ts';
import { parseTimestamp } from '../platform/timestamps.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';
import {
  cursorOption,
  inDatabase,
  jsonOption,
  limitOption,
  type PageOptions,
  type PublisherOptions,
  pageOf,
  publisherOption,
  type Work,
} from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { printList } from './print/print-list.ts';

interface FilterOptions extends PublisherOptions {
  since?: Date;
  until?: Date;
  actor?: string;
  actorKind?: string;
  action?: string;
  target?: string;
}

const maxListed = 1_000;
/** Maximum number of entries that an export keeps in memory. */
const exportPageSize = 200;

export function addAuditCommands(program: Command, tools: CommandTools): void {
  const audit = program.command('audit').description('Show who changed what, where and when.');
  filtered(audit.command('list').description('List changes, newest first.'))
    .addOption(limitOption(maxListed, 50))
    .addOption(cursorOption())
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: FilterOptions & PageOptions) => list(work, tools, options)));
  filtered(
    audit.command('export').description('Write all changes as NDJSON, one per line, newest first.'),
  ).action(inDatabase(tools, (work, options: FilterOptions) => exportAll(work, tools, options)));
}

const filtered = (command: Command): Command =>
  command
    .addOption(publisherOption())
    .addOption(new Option('--since <time>', 'start, as an ISO 8601 timestamp').argParser(asTime))
    .addOption(new Option('--until <time>', 'end (exclusive)').argParser(asTime))
    .addOption(new Option('--actor-kind <kind>', 'kind of actor').choices(actorKinds))
    .addOption(new Option('--actor <id>', 'actor: key id or user name'))
    .addOption(
      new Option(
        '--action <action>',
        'action such as payout.create, or a noun such as payout for all its actions',
      ),
    )
    .addOption(new Option('--target <target>', 'target as kind:id, such as payout:0190…'));

const filterOf = ({
  publisher,
  since,
  until,
  actor,
  actorKind,
  action,
  target,
}: FilterOptions): ChangeFilter => ({
  publisherId: publisher,
  from: since,
  until,
  actorId: actor,
  actorKind,
  action,
  target,
});

async function list(
  { db, pages }: Work,
  tools: CommandTools,
  options: FilterOptions & PageOptions,
): Promise<void> {
  await requirePublisher(db, options.publisher);
  const { rows, nextCursor } = await listChanges(db, await pages(), filterOf(options), pageOf(options));
  printList(tools, options, {
    rows,
    nextCursor,
    json: { entries: rows, nextCursor },
    columns: {
      AT: ({ at }) => at.toISOString(),
      ACTOR: ({ actor }) => `${actor.kind} ${actor.name}`,
      FROM: ({ actor }) => actor.command ?? actor.address ?? '-',
      ACTION: ({ action }) => action,
      TARGET: ({ target }) => target,
      CHANGE: ({ before, after, reason }) =>
        [before && JSON.stringify(before), after && JSON.stringify(after), reason && `“${reason}”`]
          .filter(Boolean)
          .join(' → ') || '-',
    },
    empty: 'No changes.',
  });
}

async function exportAll(
  { db, pages }: Work,
  { dataOutput, outputClosed }: CommandTools,
  options: FilterOptions,
): Promise<void> {
  await requirePublisher(db, options.publisher);
  const signed = await pages();
  for (let cursor: string | null = null; !outputClosed.aborted; ) {
    const { rows, nextCursor } = await listChanges(db, signed, filterOf(options), {
      cursor,
      size: exportPageSize,
    });
    const lines = rows.map((entry: AuditEntry) => `${JSON.stringify(entry)}\n`).join('');
    // If the output closed while the page was being read, no other event reports it.
    if (!dataOutput.write(lines) && !outputClosed.aborted)
      await new Promise<void>((resolve) => {
        dataOutput.once('drain', resolve);
        outputClosed.addEventListener('abort', () => resolve(), { once: true });
      });
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

function asTime(text: string): Date {
  const ms = parseTimestamp(text);
  if (ms === null) throw new InvalidArgumentError('It must be a timestamp such as 2026-01-31T00:00:00Z.');
  return new Date(ms);
}
