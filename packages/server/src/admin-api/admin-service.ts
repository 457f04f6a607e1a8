import type { Service } from '../composition.ts';

/** What the routes of the admin API are made with. */
export type AdminService = Service;
