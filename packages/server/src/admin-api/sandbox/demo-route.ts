import { Type } from 'typebox';
import type { Actor } from '../../audit/actor.ts';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import type { FairTurns } from '../../platform/work/fair-turns.ts';
import { waitBriefly } from '../../platform/work/wait-briefly.ts';
import { fillDemo, startDemo } from '../../program-file/demo/load-demo.ts';
import { readDemoLoad } from '../../publishers/demo-loads.ts';
import type { SandboxToOpen } from '../../publishers/open-sandbox.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable } from '../schemas.ts';
import { takeTurn } from './copy-turns.ts';
import { sandboxAnswer, showSandbox } from './sandbox-schemas.ts';

export function demoRoute(app: App, service: Service, turns: FairTurns): void {
  const { clock, database, log } = service;
  const { operation } = adminOperations(app, 'Sandbox');
  /** This process's loads that have not been saved yet, by publisher. */
  const starting = new Map<string, Promise<void>>();
  operation(
    ['post', '/publishers/:publisherId/sandbox/demo', 'loadDemoData'],
    {
      may: 'program',
      summary: 'Load demo data into a new sandbox',
      description:
        'Fills a new sandbox with a demo program and half a year of purchases, payouts, refunds and bounties. Reads and ' +
        'changes nothing of the live publisher, and sends no webhooks to its endpoints. The previous sandbox is permanently ' +
        'closed once the new one is complete. If a load is already running, returns its state. A load continues after the ' +
        'response: poll the sandbox until `loading` is null.',
      body: Type.Object(
        {
          replaces: nullable(
            Type.String({
              maxLength: 255,
              description: 'publisherId of the sandbox to close, as last read; null if there was none.',
            }),
          ),
        },
        { ...closed, title: 'DemoToLoad' },
      ),
      answer: sandboxAnswer,
    },
    async ({ params: { publisherId }, body: { replaces }, actor }) => {
      // A second request for the same publisher waits only until the first request's load is visible.
      const start =
        starting.get(publisherId) ??
        startLoad(actor, { publisherId, replaces }).finally(() => starting.delete(publisherId));
      starting.set(publisherId, start);
      await start;
      return showSandbox(database.db, publisherId, clock);
    },
  );

  /** Starts a load, unless one is running, and waits a few seconds for it to complete. */
  async function startLoad(actor: Actor, sandbox: SandboxToOpen): Promise<void> {
    const { publisherId } = sandbox;
    if ((await readDemoLoad(database.db, publisherId))?.isRunning === true) return;
    await takeTurn(turns, publisherId);
    const giveBack = (): void => turns.giveBack(publisherId);
    const demo = await startDemo(service, actor, sandbox).catch((error: unknown) => {
      giveBack();
      throw error;
    });
    if (demo === null) return giveBack();
    await waitBriefly(fillDemo({ app, service }, actor, demo).finally(giveBack), (err) =>
      log.error({ err, publisherId }, 'loading demo data failed after the response'),
    );
  }
}
