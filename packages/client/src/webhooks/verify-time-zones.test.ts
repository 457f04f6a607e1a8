import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { contractHeader, contractRequest, envelope, secret } from '../../test/webhooks/contract-request.ts';

// Some of these times are skipped or occur twice in one of the zones.
const times = [
  '2026-11-21 10:00:00.123000',
  '2026-03-08 02:30:00.000000',
  '2026-03-08 00:01:00.000000',
  '2026-11-01 01:30:00.999000',
  '2026-12-31 23:59:59.999000',
  '2028-02-29 12:00:00.001000',
  '1994-12-31 12:00:00.000000',
];

test.each(['UTC', 'America/St_Johns', 'Pacific/Kiritimati'])('works for a receiver in %s', (zone) => {
  const requests = times.flatMap((createdAt, at) => {
    const sent = { ...envelope, createdAt };
    const { body, headers } = contractRequest(sent);
    const byContract = contractHeader(sent, secret);
    const ofAnotherTime = JSON.stringify({ ...sent, createdAt: times[at + 1] ?? times[0] });
    return [
      { body, headers },
      { body, headers: byContract },
      { body: ofAnotherTime, headers: byContract },
    ];
  });
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['packages/client/test/webhooks/verify-from-stdin.ts'],
    {
      input: requests.map((request) => JSON.stringify(request)).join('\n'),
      encoding: 'utf8',
      env: { ...process.env, TZ: zone },
    },
  );
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toEqual([
    zone,
    ...times.flatMap((createdAt) => {
      const iso = `${createdAt.slice(0, 23).replace(' ', 'T')}Z`;
      return [iso, iso, 'refused'];
    }),
  ]);
});
