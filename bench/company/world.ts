/** Inputs of a neighbor, sent to its process as a message. */
export interface World {
  url: string;
  /** The neighbor's own keys. It is a publisher like the quiet one. */
  secretKey: string;
  publicKey: string;
  /** Settings with which commands use the same installation. */
  environment: Record<string, string>;
  /** Folder of the database's socket. */
  socketDirectory: string;
  /** Duration of its load, in seconds. */
  seconds: number;
}

/** Result of a neighbor. */
export interface Outcome {
  summary: string;
  /** Number of its own requests that were refused although the service has no reason to; counted as misses. */
  refused?: number;
}

/** Load that runs next to the quiet publisher, in a process of its own, until its time is over. */
export type Neighbor = (world: World) => Promise<Outcome>;

export const neighborId = 'busy';
export const members = 200;
/** Group whose members have large metadata: a page of 1,000 of them is 8 MB. */
export const heavyGroup = 'heavy';
export const heavyMembers = 1_000;
/** Returns a client address for the nth connection of a neighbor. Several share one; the quiet publisher's is 127.0.0.1. */
export const addressOf = (index: number): string | undefined =>
  process.platform === 'linux' ? `127.0.0.${2 + (index % 8)}` : undefined;
