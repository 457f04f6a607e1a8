export { AttributionFake, type Fault } from './testing/attribution-fake.ts';
export type { FakeGroupOptions, FakeMember } from './testing/fake-group.ts';
