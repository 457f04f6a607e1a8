import type { Actor } from '../src/audit/actor.ts';

/** Whoever sets a test up, or calls an operation where the test is not about who acts. */
export const testActor: Actor = { kind: 'command', id: 'tester', name: 'tester', command: 'test' };
