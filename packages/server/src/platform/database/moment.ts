import { sql } from 'kysely';

/** Now, by the database's clock: whole milliseconds, cut, because the times that people and clients send have no finer ones. */
export const moment = sql<Date>`date_trunc('milliseconds', clock_timestamp())`;
