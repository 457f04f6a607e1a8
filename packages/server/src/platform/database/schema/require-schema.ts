import pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { asTyped } from '../../program-name.ts';
import { refuseWrongDefaults } from '../connections/pooler-defaults.ts';
import { examineRights } from './examine-rights.ts';
import { schemaState } from './schema-records.ts';

/**
 * Checks, as the service's role, that this version can run on the database. Doesn't change the database.
 * @returns warnings about problems that don't prevent the service from running
 * @throws OperatorError with the problem that prevents the service from running, and what to do about it
 */
export async function requireSchema(connection: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the running statement fails with the same error
  await client.connect();
  try {
    await refuseWrongDefaults(client);
    const state = await schemaState(client);
    if (state.kind === 'empty')
      throw new OperatorError(`The database is empty. Run \`${asTyped('migrate')}\` first.`);
    if (state.kind === 'behind') {
      throw new OperatorError(
        `The database is missing the migrations ${state.missing.join(', ')}. Run \`${asTyped('migrate')}\` first.`,
      );
    }
    if (state.kind === 'unknown') throw new OperatorError(`The database cannot be used: ${state.reason}.`);
    const flaws = await examineRights(client);
    const grave = flaws.filter(({ isGrave }) => isGrave);
    if (grave.length > 0) throw new OperatorError(grave.map(({ message }) => message).join('\n'));
    const newer =
      state.kind === 'ahead'
        ? [
            `the schema is newer than this version, which can still run on it (it has ${state.unknown.join(', ')})`,
          ]
        : [];
    return [...newer, ...flaws.map(({ message }) => message)];
  } finally {
    await client.end();
  }
}
