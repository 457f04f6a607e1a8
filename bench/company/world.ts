/** Inputs for a neighbor, sent to its process as a message. */
export interface World {
  url: string;
  /** Neighbor's own keys. The neighbor is a publisher like the quiet one. */
  secretKey: string;
  publicKey: string;
  /** Settings with which commands use the same installation. */
  environment: Record<string, string>;
  /** Folder of the database's socket. */
  socketDirectory: string;
  /** Duration of the load, in seconds. */
  seconds: number;
}

/** Result of a neighbor. */
export interface Outcome {
  summary: string;
  /** Number of the neighbor's own requests that the service refused without a reason. They count as misses. */
  refused?: number;
}

/** Load that runs beside the quiet publisher, in its own process, until its time is over. */
export type Neighbor = (world: World) => Promise<Outcome>;

export const neighborId = 'busy';
export const members = 200;
/** Group whose members have large metadata. A page of 1,000 members is 8 MB. */
export const heavyGroup = 'heavy';
export const heavyMembers = 1_000;
/** Returns a client address for a neighbor's nth connection. Several share an address. The quiet publisher's is 127.0.0.1. */
export const addressOf = (index: number): string | undefined =>
  process.platform === 'linux' ? `127.0.0.${2 + (index % 8)}` : undefined;
