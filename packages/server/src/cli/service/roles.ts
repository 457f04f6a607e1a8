/** Roles of a process: serve the API, do background work, or both. */
export const roles = ['all', 'api', 'worker'] as const;

/** Option with which a supervisor starts the `serve` command, to give the process its name. */
export const nameOption = '--supervised-as';

export type Role = (typeof roles)[number];
