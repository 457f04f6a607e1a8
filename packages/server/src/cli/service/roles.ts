/** Roles of a process: serve the API, do background work, or both. */
export const roles = ['all', 'api', 'worker'] as const;
export type Role = (typeof roles)[number];
