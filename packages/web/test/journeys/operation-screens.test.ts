import { describe, expect, test } from 'vitest';
import { hasBrowser, useDashboard } from '../browser.ts';
import { operationStates } from '../states.ts';
import { walk } from '../walk.ts';

const dashboard = useDashboard({ hasDemo: true });

// Beside screens.test.ts, so that two walk at once.
describe.skipIf(!hasBrowser)('every drawer, dialog and tab of the screens of operations', () => {
  test('breaks no rule of WCAG 2.2 AA that axe knows, in light and dark, and fits 360 pixels', async () => {
    expect(await walk(dashboard, operationStates)).toEqual([]);
  }, 600_000);
});
