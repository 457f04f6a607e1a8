import { expect, test } from 'vitest';
import { hasBrowser, useDashboard } from '../browser.ts';
import { connectorStates } from '../states.ts';
import { walk } from '../walk.ts';

const dashboard = useDashboard({ hasDemo: true });

test.skipIf(!hasBrowser)(
  'the states of Connectors pass axe’s WCAG 2.2 AA rules, in light and dark, and fit 360 pixels',
  async () => {
    expect(await walk(dashboard, connectorStates)).toEqual([]);
  },
  600_000,
);
