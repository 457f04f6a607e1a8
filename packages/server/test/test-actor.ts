import type { Actor } from '../src/audit/actor.ts';

/** Actor for test setup and for operations in tests that don't test actors. */
export const testActor: Actor = { kind: 'command', id: 'tester', name: 'tester', command: 'test' };
