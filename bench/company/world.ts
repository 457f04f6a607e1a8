/** What a neighbor needs to know; it goes to its process as a message. */
export interface World {
  url: string;
  /** The neighbor's own keys: it is a publisher like the quiet one. */
  secretKey: string;
  publicKey: string;
  /** The settings by which commands reach the same installation. */
  environment: Record<string, string>;
  /** Folder of the database's socket. */
  socketDirectory: string;
  /** How long it goes on. */
  seconds: number;
}

/** How it went for the neighbor. */
export interface Told {
  said: string;
  /** Of its own requests that nothing of what it does entitles the service to refuse; counted as misses. */
  refused?: number;
}

/** What goes on beside the quiet publisher, in a process of its own, until its time is over. */
export type Neighbor = (world: World) => Promise<Told>;

export const neighborId = 'busy';
export const members = 200;
/** Members of a group of their own, with much about each: a page of 1,000 of them is 8 MB. */
export const heavyGroup = 'heavy';
export const heavyMembers = 1_000;
/** More than one neighbor asks of one address, and the quiet publisher's is 127.0.0.1. */
export const addressOf = (index: number): string | undefined =>
  process.platform === 'linux' ? `127.0.0.${2 + (index % 8)}` : undefined;
