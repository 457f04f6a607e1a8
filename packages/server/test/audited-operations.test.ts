import { describe, expect, test } from 'vitest';
import { asRole } from './admin.ts';
import { writtenEntries } from './audit.ts';
import { bountyOperations, bountyText } from './audited/bounties.ts';
import { connectorOperations } from './audited/connectors.ts';
import {
  type AuditedOperation,
  committedBy,
  type House,
  succeeded,
  textOf,
  useHouse,
} from './audited/house.ts';
import { keyOperations } from './audited/keys.ts';
import { memberOperations } from './audited/members.ts';
import { moneyOperations } from './audited/money.ts';
import { payeeOperations } from './audited/payees.ts';
import { programOperations } from './audited/program.ts';
import { scheduleOperations } from './audited/schedules.ts';
import { staffOperations } from './audited/staff.ts';
import { webhookOperations } from './audited/webhooks.ts';
import { auroraProgram } from './fixtures.ts';
import { runInProcess } from './run-in-process.ts';

const house = useHouse();

/** Every operation that changes data, through every entry point. Add a row for each new operation. */
const audited: readonly AuditedOperation[] = [
  ...keyOperations,
  ...memberOperations,
  ...programOperations,
  ...scheduleOperations,
  ...moneyOperations,
  ...payeeOperations,
  ...bountyOperations,
  ...staffOperations,
  ...connectorOperations,
  // These operations come last, because they seal secrets with another key.
  ...webhookOperations,
];

/** Operations that change data without adding exactly one audit entry, with the reasons. */
const notAudited: Readonly<Record<string, string>> = {
  createTransactions: 'recording is its own record',
  recordEvent: 'a custom event is its own record',
  attachPlayerCode: 'a code that a player entered is its own record',
  endPlayerCode: 'as attachPlayerCode',
  nameOrder: 'an order that was named is its own record',
  refundTransactions:
    'adds an entry for each refund; src/settlement/refunds/refund-several.test.ts counts them',
  'connectors test':
    'waits for a process that works on its event; src/connectors/addresses.test.ts reads its entry',
  'webhooks listen': 'goes on until it is stopped; src/webhooks/audited-webhooks.test.ts stops it',
  serve: 'works for all publishers; what its workers change by themselves has tests of its own',
  migrate: "is the schema's own, before there is a log",
  'buyers erase':
    'adds an entry for each run that changes something; src/privacy/erase-buyer.test.ts reads it',
  'members erase':
    'adds an entry at each publisher, and one for each part of the log; src/privacy/erase-creator.test.ts reads them',
  'payouts import-results': 'adds an entry for each commit, as `payouts set-result` does',
  'gates import': 'adds the entry of `gates clear-tax` for each line; src/settlement/gates/import reads them',
  'payouts create-all':
    'adds an entry for the run and one for each payout; src/settlement/payouts/runs/pay-run-crash.test.ts reads them',
};

/** Commands that don't change data. */
const reading = new Set([
  'audit export',
  'audit list',
  'backup create',
  'backup verify', // into a scratch database
  'bounties list',
  'bounties show',
  'connectors list',
  'doctor',
  'health',
  'gates list',
  'holds list',
  'explain',
  'keys list',
  'ledger balance',
  'ledger verify',
  'members list',
  'move', // copies the log as it is
  'payees list',
  'payouts export',
  'payouts files',
  'payouts list',
  'payouts month',
  'payouts preview',
  'payouts preview-all',
  'payouts show',
  'payouts year',
  'program export', // adds its own entry
  'refunds list',
  'staff list',
  'version',
  'webhooks deliveries',
  'webhooks list',
]);

/** API keys, endpoint secrets and auth codes. An id may look like part of a secret. */
const secrets = /svc_[sp]k_|whsec_|(?<![\w-])[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}(?![\w-])/;

describe.each(audited.map((each) => [`${each.operation}: ${each.action}`, each] as const))(
  '%s',
  (_name, { operation, action, prepare, given, refused }) => {
    test('adds no entry and changes nothing when it is rejected', async () => {
      const needed = (await given?.(house)) ?? '';
      const { said, commits, entries } = await committedBy(house, () => refused(house, needed));
      expect([succeeded(said), commits, entries], textOf(said)).toEqual([false, [], []]);
    });

    test('adds exactly one entry with its actor, in the commit of the change', async () => {
      const act = await prepare(house);
      const { said, commits, entries } = await committedBy(house, act);
      expect(succeeded(said), textOf(said)).toBe(true);
      expect(entries).toMatchObject([{ action, target: expect.stringMatching(/^[a-z-]+:./) }]);
      const withEntry = commits.filter(({ tables }) => tables.includes('audit_entry'));
      expect(withEntry).toEqual([{ xid: expect.any(String), tables: expect.any(Array) }]);
      expect(withEntry[0]?.tables.length, 'the change is in the same commit').toBeGreaterThan(1);
      expect(entries).toMatchObject([
        'code' in said
          ? { actor_kind: operation === 'provision' ? 'program-file' : 'command', command: operation }
          : { actor_kind: 'key', actor_name: 'backend', request_id: said.headers.get('x-request-id') },
      ]);
      expect(JSON.stringify(entries)).not.toMatch(secrets);
    });
  },
);

describe('adds no entry when it changes nothing', () => {
  test.each<[string, (house: House) => Promise<unknown>]>([
    [
      'a program file that says what is so',
      ({ runWith }) => runWith({ input: auroraProgram }, 'provision', '-'),
    ],
    [
      'a bounty that is as its file says',
      ({ runWith }) => runWith({ input: bountyText('as it is') }, 'bounties', 'add', '-'),
    ],
    [
      'a bounty ended that is over',
      async ({ run, runWith }) => {
        const input = bountyText('over').replace('{ name', '{ id: over, name');
        await runWith({ input }, 'bounties', 'add', '-');
        await run('bounties', 'end', 'over');
      },
    ],
    ['a member generated again', ({ generate }) => generate('main', 'p-1')],
    ['a member approved who is it', ({ run }) => run('members', 'approve', 'acc_alice')],
    ['a member removed who is it', ({ run }) => run('members', 'remove', 'acc_removed', '--reason', 'again')],
  ])('%s', async (_what, act) => {
    await act(house); // other tests change the fixtures
    const before = (await writtenEntries(house.db())).length;
    await act(house);
    expect(await writtenEntries(house.db())).toHaveLength(before);
  });
});

test('the dashboard shows changed objects by name', async () => {
  const ask = await asRole(house.service(), 'owner');
  const isNamed = new Map<string, boolean>();
  for (let cursor = ''; cursor !== null; ) {
    const { body } = await ask('GET', `/audit?limit=250&cursor=${cursor}`);
    for (const { target, names } of body.rows as { target: string; names: { as: string }[] }[]) {
      const [kind = ''] = target.split(':');
      isNamed.set(kind, isNamed.get(kind) === true || names.some(({ as }) => as === 'target'));
    }
    cursor = body.nextCursor;
  }
  expect(isNamed.size).toBeGreaterThan(12);
  // A transaction has no name, so it can be found only by its id.
  expect([...isNamed].flatMap(([kind, named]) => (named ? [] : [kind]))).toEqual(['transaction']);
});

test('every operation of the API that changes data is in the table', () => {
  const { paths = {} } = house.service().app.swagger();
  const changing = Object.values(paths).flatMap((methods) =>
    Object.entries(methods ?? {}).flatMap(([method, operation]) =>
      ['post', 'put', 'patch', 'delete'].includes(method)
        ? [(operation as { operationId: string }).operationId]
        : [],
    ),
  );
  expect(changing.length).toBeGreaterThan(8);
  expect(changing.filter((each) => !isKnown(each))).toEqual([]);
});

test('every command is in the table or doesn’t change data', async () => {
  const commands = await commandsOf([]);
  expect(commands.length).toBeGreaterThan(30);
  expect(commands.filter((each) => !isKnown(each) && !reading.has(each))).toEqual([]);
  expect([...reading].filter((each) => !commands.includes(each))).toEqual([]);
});

const isKnown = (operation: string): boolean =>
  Object.hasOwn(notAudited, operation) !== audited.some((each) => each.operation === operation);

/** Returns every command that has an action. */
async function commandsOf(words: readonly string[]): Promise<string[]> {
  const { stdout } = await runInProcess([...words, '--help']);
  const [, below] = stdout.split('\nCommands:\n');
  if (below === undefined) return [words.join(' ')];
  const names = [...below.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name);
  const found = await Promise.all(
    names.filter((name) => name !== 'help').map((name) => commandsOf([...words, name])),
  );
  return found.flat();
}
