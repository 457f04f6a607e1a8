import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundedCache } from '../../../platform/bounded-cache.ts';

export interface HostAddress {
  address: string;
  family: 4 | 6;
}

export type ResolveHost = (hostname: string) => Promise<readonly HostAddress[]>;

export interface ResolverOptions {
  /** Also ask the machine's own tables (/etc/hosts), which name private addresses. */
  useHostsFile: boolean;
  /** `address:port`; the machine's own when absent. */
  servers?: readonly string[];
}

const timeoutMs = 3_000;
const tries = 2;
const otherFamilyMs = 300;
const keptMs = 30_000;
const maxKept = 10_000;

/**
 * Finds a host's addresses. It asks the name servers itself: the system's own look-up works in four threads,
 * which a few names whose servers hang would hold for everybody.
 */
export function createResolver({ useHostsFile, servers }: ResolverOptions): ResolveHost {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers !== undefined) resolver.setServers([...servers]);
  const kept = boundedCache<readonly HostAddress[]>(maxKept, keptMs);

  const ask = async (hostname: string): Promise<readonly HostAddress[]> => {
    const found: HostAddress[] = [];
    const lookUp = async (family: 4 | 6): Promise<void> => {
      const addresses = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname));
      found.push(...addresses.map((address) => ({ address, family })));
    };
    const lookUps = [lookUp(4), lookUp(6)];
    const both = Promise.allSettled(lookUps);
    const oneIsFound = await Promise.any(lookUps).then(
      () => true,
      () => false,
    );
    // A name server that answers for one family only must not cost an attempt most of its time.
    if (oneIsFound) await Promise.race([both, sleep(otherFamilyMs)]);
    if (found.length > 0) return [...found];
    if (useHostsFile) {
      const listed = await lookup(hostname, { all: true }).catch(() => []);
      if (listed.length > 0) return listed as HostAddress[];
    }
    const [four] = await both;
    throw four?.status === 'rejected' ? four.reason : new Error(`no address for ${hostname}`);
  };

  const underWay = new Map<string, Promise<readonly HostAddress[]>>();
  return async (hostname) => {
    const known = kept.get(hostname);
    if (known !== undefined) return known;
    const asking = underWay.get(hostname) ?? ask(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, asking);
    const addresses = await asking;
    kept.set(hostname, addresses);
    return addresses;
  };
}
