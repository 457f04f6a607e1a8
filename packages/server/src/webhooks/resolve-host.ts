import { lookup, Resolver } from 'node:dns/promises';

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
const keptMs = 30_000;
const maxKept = 10_000;

/**
 * Finds a host's addresses. It asks the name servers itself: the system's own look-up works in four threads,
 * which a few names whose servers hang would hold for everybody.
 */
export function createResolver({ useHostsFile, servers }: ResolverOptions): ResolveHost {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers !== undefined) resolver.setServers([...servers]);
  const kept = new Map<string, { addresses: readonly HostAddress[]; untilMs: number }>();

  const ask = async (hostname: string): Promise<readonly HostAddress[]> => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 as const })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 as const })) : []),
    ];
    if (addresses.length > 0) return addresses;
    if (useHostsFile) {
      const found = await lookup(hostname, { all: true }).catch(() => []);
      if (found.length > 0) return found as HostAddress[];
    }
    throw four.status === 'rejected' ? four.reason : new Error(`no address for ${hostname}`);
  };

  return async (hostname) => {
    const now = performance.now();
    const known = kept.get(hostname);
    if (known !== undefined && known.untilMs > now) return known.addresses;
    const addresses = await ask(hostname);
    if (kept.size >= maxKept) kept.clear();
    kept.set(hostname, { addresses, untilMs: now + keptMs });
    return addresses;
  };
}
