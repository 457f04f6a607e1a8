import { portalStates } from './states.ts';
import { testStates } from './test-states.ts';

await testStates('every page of the portal', portalStates);
