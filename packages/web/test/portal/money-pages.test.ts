import { moneyStates } from './money-states.ts';
import { testStates } from './test-states.ts';

// In a file of its own, so that it runs in parallel with the other pages.
await testStates('every page about earnings', moneyStates);
