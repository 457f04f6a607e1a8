import { spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { memberCount, skuCount } from './bench-service.ts';

export interface Load {
  url: string;
  key: string;
  connections: number;
  seconds: number;
  /** Number of purchases per request. If it is 1, the request sends a single object. */
  entries: number;
}

export interface LoadResult {
  tool: 'wrk' | 'autocannon';
  /** Number of purchases that got a 200 response. */
  rows: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

/**
 * Sends creates with the current time and random transactionIds for a given time. Uses wrk if it is installed,
 * otherwise autocannon, which needs several times as much processor time.
 */
export const createLoad = (load: Load): Promise<LoadResult> =>
  hasProgram('wrk') ? withWrk(load) : withAutocannon(load);

export const hasProgram = (name: string): boolean => spawnSync('which', [name]).status === 0;

const path = '/v1/attributions/transactions';

/**
 * Returns the Lua script that builds requests as cheaply as possible. Each request is a single concatenation
 * of prepared parts. All parts of a kind have the same length, so the head with its Content-Length can also
 * be prepared.
 */
const toLua = ({ url, key, entries }: Load): string => `
math.randomseed(${randomInt(2 ** 40)})
local random, format, clock, date = math.random, string.format, os.time, os.date
local hex, part, ms = {}, {}, {}
for i = 1, 65536 do hex[i] = format('%04x', i - 1) end
for i = 1, 1000 do ms[i] = format('%03dZ"}', i - 1) end
for i = 1, 4096 do
  local sku = i % 4 == 0 and format(',"skuId":"SKU%d"', random(0, ${skuCount - 1}))
    or i % 4 == 1 and format(',"skuId":"other-%d"', i) or ''
  local text = format('","code":"CODE%d","description":"Battle pass","subtotal":%d,"currency":"USD","platform":"PC",' ..
    '"playerId":"player-%d"%s', random(0, ${memberCount - 1}), random(99, 9999), random(0, 99999), sku)
  part[i] = text .. string.rep(' ', 160 - #text) .. ',"transactionDate":"'
end
local counter, second, moment = 0, 0, ''
local function one(before)
  counter = counter + 1
  if counter % 64 == 1 then
    local now = clock()
    if now ~= second then second, moment = now, date('!%Y-%m-%dT%H:%M:%S.', now) end
  end
  return before .. '{"transactionId":"' .. hex[random(65536)] .. hex[random(65536)] .. hex[random(65536)] ..
    hex[random(65536)] .. hex[random(65536)] .. part[random(4096)] .. moment .. ms[counter % 1000 + 1]
end
local function all()
  local made = {}
  for i = 1, ${entries} do made[i] = one('') end
  return '[' .. table.concat(made, ',') .. ']'
end
local size = #${entries === 1 ? "one('')" : 'all()'}
local head = 'POST ${path} HTTP/1.1\\r\\nHost: ${new URL(url).host}\\r\\nX-SHARED-SECRET: ${key}\\r\\n' ..
  'Content-Type: application/json\\r\\nContent-Length: ' .. size .. '\\r\\n\\r\\n'
function request() return ${entries === 1 ? 'one(head)' : 'head .. all()'} end
function done(summary, latency)
  local errors = summary.errors
  io.write(format('\\nRESULT {"requests":%d,"us":%d,"p50":%f,"p99":%f,"failures":%d}\\n', summary.requests,
    summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
`;

async function withWrk(load: Load): Promise<LoadResult> {
  const { url, connections, seconds, entries } = load;
  const folder = mkdtempSync(join(tmpdir(), 'attribution-wrk-'));
  const script = join(folder, 'create.lua');
  writeFileSync(script, toLua(load));
  try {
    const output = await run('wrk', [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--timeout',
      '30s',
      '-s',
      script,
      url,
    ]);
    const result = JSON.parse(/RESULT (.*)/.exec(output)?.[1] ?? 'null');
    if (result === null) throw new Error(`wrk did not print a result: ${output}`);
    return {
      tool: 'wrk',
      rows: (result.requests - result.failures) * entries,
      seconds: result.us / 1e6,
      p50Ms: result.p50,
      p99Ms: result.p99,
      failures: result.failures,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withAutocannon({ url, key, connections, seconds, entries }: Load): Promise<LoadResult> {
  const one = () => ({
    transactionId: randomBytes(10).toString('hex'),
    code: `CODE${randomInt(memberCount)}`,
    description: 'Battle pass',
    subtotal: randomInt(99, 9_999),
    currency: 'USD',
    transactionDate: new Date().toISOString(),
    platform: 'PC',
    playerId: `player-${randomInt(100_000)}`,
    ...(randomInt(4) === 0 && { skuId: `SKU${randomInt(skuCount)}` }),
  });
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
  const failures = result.non2xx + result.errors + result.timeouts;
  return {
    tool: 'autocannon',
    rows: (result.requests.total - failures) * entries,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures,
  };
}

/** Runs a program to completion. @throws Error with its output if it fails */
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
