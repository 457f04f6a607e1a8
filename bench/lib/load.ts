import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { memberCount } from './bench-service.ts';

export interface Load {
  url: string;
  key: string;
  connections: number;
  seconds: number;
  /** Purchases in one request; 1 sends a single object. */
  entries: number;
  /** Makes this load's transactionIds differ from every other's. */
  name: string;
}

export interface LoadResult {
  tool: 'wrk' | 'autocannon';
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

/** Sends creates for a while: with wrk where it is installed, else with autocannon. */
export const createLoad = (load: Load): Promise<LoadResult> =>
  hasProgram('wrk') ? withWrk(load) : withAutocannon(load);

export const hasProgram = (name: string): boolean => spawnSync('which', [name]).status === 0;

const path = '/v1/attributions/transactions';

async function withWrk({ url, key, connections, seconds, entries, name }: Load): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-wrk-'));
  const script = join(folder, 'create.lua');
  writeFileSync(
    script,
    `
local counter = 0
local entry = '{"transactionId":"${name}-%d","code":"CODE%d","description":"Battle pass","subtotal":999,"currency":"USD",' ..
  '"transactionDate":"2026-05-01T%02d:%02d:%02dZ","platform":"PC","playerId":"player-%d"}'
local function one()
  counter = counter + 1
  return string.format(entry, counter, counter % ${memberCount}, counter % 24, counter % 60, counter % 60, counter % 10000)
end
function request()
  if ${entries} == 1 then return wrk.format('POST', nil, nil, one()) end
  local all = {}
  for i = 1, ${entries} do all[i] = one() end
  return wrk.format('POST', nil, nil, '[' .. table.concat(all, ',') .. ']')
end
wrk.headers['X-SHARED-SECRET'] = '${key}'
wrk.headers['Content-Type'] = 'application/json'
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\nRESULT {"requests":%d,"us":%d,"p50":%f,"p99":%f,"failures":%d}\\n', summary.requests,
    summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
`,
  );
  try {
    // One thread: with several, each would count transactionIds from 1.
    const output = await run('wrk', [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--timeout',
      '30s',
      '-s',
      script,
      url + path,
    ]);
    const result = JSON.parse(/RESULT (.*)/.exec(output)?.[1] ?? 'null');
    if (result === null) throw new Error(`wrk printed no result: ${output}`);
    return {
      tool: 'wrk',
      requestsPerSecond: result.requests / (result.us / 1e6),
      p50Ms: result.p50,
      p99Ms: result.p99,
      failures: result.failures,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withAutocannon({ url, key, connections, seconds, entries, name }: Load): Promise<LoadResult> {
  let counter = 0;
  const one = () => {
    counter += 1;
    return {
      transactionId: `${name}-${counter}`,
      code: `CODE${counter % memberCount}`,
      description: 'Battle pass',
      subtotal: 999,
      currency: 'USD',
      transactionDate: '2026-05-01T12:00:00Z',
      platform: 'PC',
      playerId: `player-${counter % 10_000}`,
    };
  };
  const result = await autocannon({
    url: url + path,
    connections,
    duration: seconds,
    method: 'POST',
    headers: { 'x-shared-secret': key, 'content-type': 'application/json' },
    requests: [
      {
        setupRequest: (request: object) => ({
          ...request,
          body: JSON.stringify(entries === 1 ? one() : Array.from({ length: entries }, one)),
        }),
      },
    ],
  });
  return {
    tool: 'autocannon',
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}

/** Runs a program to its end. @throws Error with its output when it fails */
export function run(
  command: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...environment } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${command} failed: ${output}`)),
    );
  });
}
