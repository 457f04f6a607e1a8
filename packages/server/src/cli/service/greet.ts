import { type Config, version } from '../../platform/config.ts';
import { builtPages, isBuilt } from '../../platform/http/pages/serve-page.ts';
import type { IssuedKey } from '../../program-file/apply-program.ts';
import { dashboardLine } from './dashboard-link.ts';
import type { Role } from './roles.ts';

export interface Greeting {
  role: Role;
  /** Link to the dashboard; an invitation in the demo. */
  dashboard: string;
  /** Line about the demo's portal; null if it is off. */
  portal: string | null;
  address: string;
  shownAt: string | null;
  config: Config;
  isEmbedded: boolean;
  demoKeys: IssuedKey[] | null;
}

/** Prints where the service listens, and how to try it. */
export function greet(
  print: (line: string) => void,
  { role, dashboard, portal, address, shownAt, config, isEmbedded, demoKeys }: Greeting,
): void {
  const url = reachable(address);
  const shown = shownAt === null ? (config.operationsPort === 'off' ? null : url) : reachable(shownAt);
  if (role === 'worker') {
    print(
      `attribution ${version} posts purchases and delivers webhooks; it listens on ${url} only for health and metrics`,
    );
    if (shownAt !== null) print(`Metrics: ${shown}/metrics`);
    return;
  }
  print(
    `attribution ${version} listens on ${url}${shown === null ? '' : `  (API reference: ${shown}/docs)`}`,
  );
  if (role === 'api') print('Processes with --role worker post purchases and deliver webhooks.');
  if (isEmbedded) print(`The database is embedded, in ${config.dataDir}`);
  print(dashboardLine(dashboard));
  if (portal !== null && isBuilt(builtPages)) print(portal);
  const secret = demoKeys?.find(({ kind }) => kind === 'secret');
  if (demoKeys === null || secret === undefined) return;
  print('\nDemo keys:');
  for (const { name, kind, group, key } of demoKeys) {
    print(`  ${`${name} (${kind}${group === undefined ? '' : `, group ${group}`})`.padEnd(26)} ${key}`);
  }
  print(`\nRecord a Test purchase, which is never paid:\n
curl -sS ${url}/v1/attributions/transactions \\
  -H 'X-SHARED-SECRET: ${secret.key}' -H 'Content-Type: application/json' \\
  -d '{"transactionId":"demo-'$(date +%s)'","code":"ALICE","description":"Battle pass","subtotal":999,"currency":"USD","status":"Test","transactionDate":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"}'
\nCtrl-C stops everything.`);
}

const reachable = (address: string): string =>
  address.replace('0.0.0.0', '127.0.0.1').replace('[::]', '127.0.0.1');
