import type { Actor } from '../src/audit/actor.ts';

/** Who acts where a test calls an operation itself. */
export const testActor: Actor = { kind: 'command', id: 'tester', name: 'tester', command: 'test' };
