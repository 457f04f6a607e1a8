import { type Command, Option } from 'commander';
import { appendLine } from '../platform/append-line.ts';
import { systemClock } from '../platform/clock.ts';
import { toAccountId } from '../platform/ids.ts';
import { Refusal } from '../platform/refusal.ts';
import { changedCreator, eraseCreator } from '../privacy/erase-creator.ts';
import { toLine } from '../privacy/parse-erasures.ts';
import { logOption } from './buyers.ts';
import { inDatabase, jsonOption, reasonOption, type Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { replayErasures, replayOption } from './replay-erasures.ts';

interface EraseOptions {
  account?: string;
  codes?: boolean;
  giveUp: string[];
  log?: string;
  reason?: string;
  replay?: string;
  json?: boolean;
}

/** Adds `members erase` to the command `members`. */
export function addEraseMember(members: Command, tools: CommandTools): void {
  members
    .command('erase')
    .description("Erase a creator's personal data at all publishers. Refused while money is owed.")
    .addOption(new Option('--account <id>', "id of the creator's account"))
    .addOption(new Option('--codes', 'also replace the codes in purchases and sums'))
    .addOption(
      new Option('--give-up <publisher:amount:currency>', 'amount that is owed and given up; repeatable')
        .argParser((text: string, before: string[]) => [...before, text])
        .default([], 'none'),
    )
    .addOption(logOption())
    .addOption(reasonOption())
    .addOption(replayOption())
    .addOption(jsonOption())
    .action(
      inDatabase(tools, async (work, options: EraseOptions) => {
        const { account, log, replay } = options;
        if (replay !== undefined) return replayErasures(work, tools, { file: replay, ...options });
        if (account === undefined || log === undefined)
          throw new Refusal('InvalidInput', 'Give --account and --log, or --replay.');
        return erase(work, tools, { ...options, account, log });
      }),
    );
}

async function erase(
  { db, sealer, actor }: Work,
  { printDone }: CommandTools,
  { account, codes, giveUp: givenUp, log, reason, json }: EraseOptions & { account: string; log: string },
): Promise<void> {
  const erasure = { accountId: toAccountId(account), replacesCodes: codes === true, givenUp };
  const at = systemClock.now();
  const erased = await eraseCreator(
    { db, sealer, clock: systemClock },
    actor,
    { ...erasure, reason: reason ?? null },
    () => appendLine(log, toLine({ kind: 'creator', at, ...erasure }), 'Nothing was erased'),
  );
  const { publishers, removed, personal, events, auditEntries, codes: rows } = erased;
  printDone(
    json
      ? JSON.stringify({ account, ...erased })
      : !changedCreator(erased)
        ? `Nothing of ${account} is left to erase.`
        : [
            `${account} is erased at ${publishers.length === 0 ? 'no publisher' : publishers.join(', ')}:`,
            `  ${removed} memberships removed`,
            `  ${personal} rows with personal data blanked or deleted`,
            `  ${events} stored events rewritten`,
            `  ${auditEntries} audit entries redacted`,
            `  ${rows} rows of purchases with a replaced code`,
          ].join('\n'),
  );
}
