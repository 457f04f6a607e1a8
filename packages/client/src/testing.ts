export { AttributionFake, type Fault } from './testing/attribution-fake.ts';
export type { FakeGroupOptions, FakeMember, FakeTier } from './testing/fake-group.ts';
