import { beforeAll, expect, test } from 'vitest';
import { type Asking, asRole } from '../../test/admin.ts';
import { useManagement } from '../../test/management.ts';

const { service } = useManagement();

let owner: Asking;
beforeAll(async () => {
  owner = await asRole(service(), 'owner');
});

interface ReadOperation {
  path: string;
  known: readonly string[];
}

function readOperations(): ReadOperation[] {
  interface Operation {
    'x-permission': string;
    'x-people'?: true;
    parameters?: readonly { in: string; name: string }[];
  }
  const { paths } = service().app.adminDocument() as { paths: Record<string, { get?: Operation }> };
  const noId = '01a1fc3e-64b1-75ff-9d00-533d2bb49dde';
  return Object.entries(paths).flatMap(([path, { get }]) =>
    get === undefined || get['x-people'] === true || get['x-permission'] === 'public'
      ? []
      : [
          {
            path: path
              .replace('{publisherId}', 'aurora')
              .replace('{termsVersion}', '1')
              .replace(/\{\w+\}/g, noId),
            known: (get.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name),
          },
        ],
  );
}

test('an unknown query parameter is rejected with its name and the valid ones', async () => {
  expect(await owner('GET', '/payouts/preview?groupId=main')).toMatchObject({
    status: 400,
    body: {
      code: 'InvalidInput',
      message:
        'groupId is not a query parameter of this operation. It takes group, cursor, limit, currency, asOf, state, withoutMethod.',
    },
  });
  const sent = { groupId: 'main', skuId: 's', version: null, revShare: 5 };
  const { status, body } = await owner('PUT', '/sku-shares?dryRun=true&groupID=main&=1', sent);
  expect([status, body.message]).toEqual([
    400,
    'dryRun, groupID, (empty) are not query parameters of this operation. It takes no query parameters.',
  ]);
  const { rows } = (await owner('GET', '/sku-shares?group=main')).body;
  expect(rows.map((row: { skuId: string }) => row.skuId)).not.toContain('s');
});

test('every operation that reads rejects it', async () => {
  const operations = readOperations();
  expect(operations.length).toBeGreaterThan(50);
  for (const { path, known } of operations) {
    const { status, body } = await owner('GET', `${path}?misspelled=1`);
    expect([path, status]).toEqual([path, 400]);
    expect(body.message, path).toContain('misspelled is not a query parameter');
    for (const name of known) expect(body.message, path).toContain(name);
  }
});
