/** Inputs for a neighbor, sent to its process as a message. */
export interface World {
  url: string;
  /** Keys of the neighbor, which is a publisher like the quiet publisher. */
  secretKey: string;
  publicKey: string;
  /** Settings that make commands use this installation. */
  environment: Record<string, string>;
  /** Folder that contains the database's socket. */
  socketDirectory: string;
  /** Duration of the load, in seconds. */
  seconds: number;
}

export interface Outcome {
  summary: string;
  /**
   * Number of the neighbor's own requests that the service refused without good reason. Each counts as a
   * miss.
   */
  refused?: number;
}

/** Load that runs alongside the quiet publisher, in its own process, until time is up. */
export type Neighbor = (world: World) => Promise<Outcome>;

export const neighborId = 'busy';
export const members = 200;
/** Group whose members have large metadata. A page of 1,000 members is 8 MB. */
export const heavyGroup = 'heavy';
export const heavyMembers = 1_000;
/**
 * Returns a client address for a neighbor's nth connection. Several connections share an address. The quiet
 * publisher's address is 127.0.0.1.
 */
export const addressOf = (index: number): string | undefined =>
  process.platform === 'linux' ? `127.0.0.${2 + (index % 8)}` : undefined;
