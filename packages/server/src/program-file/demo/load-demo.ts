import type { Actor } from '../../audit/actor.ts';
import { batchEntries, recordChange } from '../../audit/record-change.ts';
import type { Service } from '../../composition.ts';
import { newAccountIds } from '../../members/copy/new-account-ids.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toAccountId } from '../../platform/ids.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { continueDemoLoad, endDemoLoad, setDemoSandbox, startDemoLoad } from '../../publishers/demo-loads.ts';
import {
  lockSandbox,
  openSandbox,
  type SandboxToOpen,
  setOpenSandbox,
} from '../../publishers/open-sandbox.ts';
import { requestVerification } from '../../settlement/verify/jobs/request-verification.ts';
import { switchEndpoint } from '../../webhooks/endpoints/switch-endpoint.ts';
import { putProgram } from '../apply-program.ts';
import { removeAccess } from '../copy/close-sandbox.ts';
import type { Program, ProgramGroup } from '../program-schema.ts';
import { readDemoProgram, readMoreOfProgram } from './demo-program.ts';
import { monthsSteps, playMonths } from './play-months.ts';

/** Number of steps of a load: the program, then the months. */
export const loadSteps = 1 + monthsSteps;

/** Hidden sandbox with the demo's program, to be filled. */
export interface DemoToFill extends SandboxToOpen {
  sandboxId: string;
  /** Secret key of the demo's back end. */
  key: string;
}

/**
 * Creates a hidden sandbox with the demo's program. The live publisher's data is neither read nor changed.
 * @returns null if a load was already running
 * @throws Refusal for the same reasons as `openSandbox`
 */
export const startDemo = (
  service: Service,
  actor: Actor,
  sandbox: SandboxToOpen,
): Promise<DemoToFill | null> =>
  inTransaction(service.database.background, (tx) => begin(tx, actor, sandbox, service.clock.now()));

/**
 * Fills a hidden sandbox with months of history. When it is complete, it replaces the previous sandbox. If filling
 * fails, the hidden sandbox is closed and the previous one stays open.
 */
export async function fillDemo(
  { app, service }: { app: App; service: Service },
  actor: Actor,
  demo: DemoToFill,
): Promise<void> {
  const { sandboxId, key } = demo;
  const { background: db } = service.database;
  try {
    let step = 1;
    await continueDemoLoad(db, demo, step);
    const endpointId = await playMonths(app, service, { publisherId: sandboxId, key, actor }, () =>
      continueDemoLoad(db, demo, ++step),
    );
    // The address is unreachable, and its failures would trigger the operator's alert about endpoints.
    await switchEndpoint(db, actor, { publisherId: sandboxId, endpointId, isEnabled: false });
    await requestVerification(db, actor, { publisherId: sandboxId, looksAtAll: false });
    await inTransaction(db, (tx) => finish(tx, actor, demo, service.clock.now()));
  } catch (error) {
    await inTransaction(db, async (tx) => {
      await endDemoLoad(tx, demo, true);
      await removeAccess(tx, actor, sandboxId, service.clock.now());
    });
    throw error;
  }
}

async function begin(tx: Tx, actor: Actor, sandbox: SandboxToOpen, now: Date): Promise<DemoToFill | null> {
  const { publisherId } = sandbox;
  const abandoned = await startDemoLoad(tx, publisherId);
  if (abandoned === undefined) return null;
  const sandboxId = await openSandbox(tx, sandbox);
  const programs = [readDemoProgram().program, readMoreOfProgram(now).program];
  const rename = await renaming(tx, sandboxId, programs);
  const keys = await changingProgram(tx, sandboxId, (tx) =>
    batchEntries(tx, async () => {
      const created = [];
      for (const program of programs) created.push(...(await putProgram(tx, actor, rename(program))).keys);
      return created;
    }),
  );
  const key = keys.find(({ name }) => name === 'backend')?.key;
  if (key === undefined) throw new Error('the demo program has no key for the back end');
  await setDemoSandbox(tx, publisherId, sandboxId);
  if (abandoned !== null) await removeAccess(tx, actor, abandoned, now);
  return { ...sandbox, sandboxId, key };
}

/** Opens the complete sandbox and closes the previous one. */
async function finish(
  tx: Tx,
  actor: Actor,
  { publisherId, replaces, sandboxId }: DemoToFill,
  now: Date,
): Promise<void> {
  await lockSandbox(tx, { publisherId, replaces });
  await continueDemoLoad(tx, { publisherId, sandboxId }, loadSteps);
  await endDemoLoad(tx, { publisherId, sandboxId }, false);
  for (const each of [sandboxId, publisherId])
    await recordChange(tx, actor, {
      publisherId: each,
      action: 'sandbox.load-demo',
      target: `publisher:${sandboxId}`,
      after: { of: publisherId },
    });
  if (replaces !== null) await removeAccess(tx, actor, replaces, now);
  await setOpenSandbox(tx, publisherId, sandboxId);
}

/**
 * Returns a function that adapts a demo program to a sandbox. Accounts, global codes and identities are shared
 * by all publishers, so members get the sandbox's own accounts and only group codes, as in a copy.
 */
async function renaming(tx: Tx, sandboxId: string, programs: readonly Program[]) {
  const members = programs.flatMap(({ groups = [] }) => groups.flatMap(({ members = [] }) => members));
  const ids = await newAccountIds(
    tx,
    sandboxId,
    members.map(({ id }) => toAccountId(id)),
  );
  const ofGroup = ({ members = [], ...group }: ProgramGroup): ProgramGroup => ({
    ...group,
    ...(group.name !== undefined && { name: group.name.replace(/^Aurora /, '') }),
    members: members.map(({ identities: _shared, codes = [], ...member }) => ({
      ...member,
      id: ids.get(toAccountId(member.id)) ?? member.id,
      codes: codes.map((code) => ({ ...code, group: code.group ?? group.id })),
    })),
  });
  return ({ publisher: { apiKeys = [] }, groups = [] }: Program): Program => ({
    publisher: { id: sandboxId, apiKeys },
    groups: groups.map(ofGroup),
  });
}
