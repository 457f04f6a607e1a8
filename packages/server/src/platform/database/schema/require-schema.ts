import pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { asTyped } from '../../program-name.ts';
import { refuseWrongDefaults } from '../connections/pooler-defaults.ts';
import { examineRights } from './examine-rights.ts';
import { schemaState } from './schema-records.ts';

/**
 * Looks, as the service's role, whether this program can run on a database as it is, and changes nothing.
 * @returns what does not keep it from running and somebody should know
 * @throws OperatorError with what keeps it from running, and what to do
 */
export async function requireSchema(connection: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the statement under way fails too, and says so
  await client.connect();
  try {
    await refuseWrongDefaults(client);
    const state = await schemaState(client);
    if (state.kind === 'empty')
      throw new OperatorError(`The database is empty. Run \`${asTyped('migrate')}\` first.`);
    if (state.kind === 'behind') {
      throw new OperatorError(
        `The database lacks ${state.missing.join(', ')}. Run \`${asTyped('migrate')}\` first.`,
      );
    }
    if (state.kind === 'unknown') throw new OperatorError(`The database cannot be used: ${state.reason}.`);
    const flaws = await examineRights(client);
    const grave = flaws.filter(({ isGrave }) => isGrave);
    if (grave.length > 0) throw new OperatorError(grave.map(({ message }) => message).join('\n'));
    const newer =
      state.kind === 'ahead'
        ? [`the schema is newer than this program, which may run on it (it has ${state.unknown.join(', ')})`]
        : [];
    return [...newer, ...flaws.map(({ message }) => message)];
  } finally {
    await client.end();
  }
}
