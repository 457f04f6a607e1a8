/** What a process does: answer the API, work in the background, or both. */
export const roles = ['all', 'api', 'worker'] as const;
export type Role = (typeof roles)[number];
