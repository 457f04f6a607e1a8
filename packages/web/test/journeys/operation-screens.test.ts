import { describe, expect, test } from 'vitest';
import { hasBrowser, useDashboard } from '../browser.ts';
import { operationStates } from '../states.ts';
import { walk } from '../walk.ts';

const dashboard = useDashboard({ hasDemo: true });

// The walk over all states is in three files, so that they run in parallel.
describe.skipIf(!hasBrowser)('every drawer, dialog and tab of the operations screens', () => {
  // Beside the rest of the suite, a walk can take more than ten minutes. It isn't repeated, because it names what it found.
  test('passes axe’s WCAG 2.2 AA rules, in light and dark, and fits 360 pixels', {
    timeout: 1_200_000,
    retry: 0,
  }, async () => {
    expect(await walk(dashboard, operationStates)).toEqual([]);
  });
});
