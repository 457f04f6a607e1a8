import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundedCache } from '../../../platform/bounded-cache.ts';

export interface HostAddress {
  address: string;
  family: 4 | 6;
}

export type ResolveHost = (hostname: string) => Promise<readonly HostAddress[]>;

export interface ResolverOptions {
  /** True to also read the machine's hosts file, which contains private addresses. */
  useHostsFile: boolean;
  /** Name servers as `address:port`. Defaults to the machine's name servers. */
  servers?: readonly string[];
}

const timeoutMs = 3_000;
const tries = 2;
const otherFamilyMs = 300;
const cacheMs = 30_000;
const maxCached = 10_000;

/**
 * Creates a resolver that queries the name servers itself. The system's resolver has four threads, so a few
 * names with unresponsive servers would block the resolution of all other names.
 */
export function createResolver({ useHostsFile, servers }: ResolverOptions): ResolveHost {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers !== undefined) resolver.setServers([...servers]);
  const cached = boundedCache<readonly HostAddress[]>(maxCached, cacheMs);

  const resolve = async (hostname: string): Promise<readonly HostAddress[]> => {
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
    // A name server that responds for only one address family must not use up most of an attempt's timeout.
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
    const known = cached.get(hostname);
    if (known !== undefined) return known;
    const resolving = underWay.get(hostname) ?? resolve(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, resolving);
    const addresses = await resolving;
    cached.set(hostname, addresses);
    return addresses;
  };
}
