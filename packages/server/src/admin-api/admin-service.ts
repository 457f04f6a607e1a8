import type { Service } from '../composition.ts';

/** Dependencies of the admin API's routes. */
export type AdminService = Service;
