import { expect, test } from 'vitest';
import { useConnectors } from '../../test/connectors.ts';
import { testActor } from '../../test/test-actor.ts';
import { exportProgram } from '../program-file/export/export-program.ts';

const { service, owner, db } = useConnectors({ now: () => new Date() });

const provision = (connectors: string) =>
  service().provision(`{ publisher: { id: aurora, connectors: [ ${connectors} ] } }`);

/** Returns the connectors by name. */
const listed = async () => {
  const { body } = await owner()('GET', '/connectors');
  return Object.fromEntries(
    body.rows.map(({ name, connectorId, provider, groupId, settings, hasSecret }: Record<string, string>) => [
      name,
      { connectorId, provider, groupId, settings, hasSecret },
    ]),
  );
};

test('a program file creates and changes connectors, and an export can be applied again', async () => {
  await provision('{ name: file, provider: stripe, group: moba, settings: { usesPlayerCode: true } }');
  const first = await listed();
  expect(first.file).toEqual({
    connectorId: expect.stringMatching(/^[0-9A-Za-z]{24}$/),
    ...{ provider: 'stripe', groupId: 'moba', settings: { usesPlayerCode: true }, hasSecret: false },
  });
  await provision(
    '{ name: file, provider: stripe, settings: { clawsBack: true } }, { name: two, provider: xsolla }',
  );
  const second = await listed();
  expect(second.file).toEqual({ ...first.file, settings: { clawsBack: true } });
  expect(second.two).toMatchObject({ provider: 'xsolla', groupId: null });
  const exported = await exportProgram(db(), testActor, 'aurora', new Date());
  expect(exported).toContain(
    '- { name: file, provider: stripe, group: moba, settings: { clawsBack: true } }',
  );
  await service().provision(exported);
  expect(await listed()).toEqual(second);
});

test.each([
  ['another provider', '{ name: file, provider: xsolla }', /is of stripe/],
  ['an unknown provider', '{ name: new, provider: paypal }', /provider/],
  ['an unknown group', '{ name: new, provider: stripe, group: nowhere }', /no creator group nowhere/],
  ['an unknown setting', '{ name: new, provider: stripe, settings: { color: red } }', /color/],
  [
    'a foreign setting',
    '{ name: new, provider: stripe, settings: { isShopAddress: true } }',
    /isShopAddress/,
  ],
  ['a name twice', '{ name: new, provider: stripe }, { name: new, provider: xsolla }', /new/],
  ['a secret', '{ name: new, provider: stripe, secret: whsec_0123456789 }', /secret/],
])('%s is rejected, and nothing is saved', async (_what, connectors, message) => {
  const before = await listed();
  await expect(provision(connectors)).rejects.toThrow(message);
  expect(await listed()).toEqual(before);
});
