import { Writable } from 'node:stream';
import { runCommand } from '../../packages/server/src/main.ts';

/** Uses the command line itself to check that a command and its options exist. */
export async function argumentProblems(who: string, args: readonly string[]): Promise<string[]> {
  const firstOption = args.findIndex((word) => word.startsWith('--'));
  const words = firstOption === -1 ? args : args.slice(0, firstOption);
  const command = words.join(' ');
  let help = '';
  const output = new Writable({
    write(chunk, _encoding, done) {
      help += chunk;
      done();
    },
  });
  const code = await runCommand([...words, '--help'], {
    environment: {},
    stdin: () => process.stdin,
    stdout: output,
    stderr: output,
  });
  const options = args.filter((word) => word.startsWith('--'));
  const unknown = options.filter((option) => !new RegExp(`${option}\\b`).test(help));
  // For an unknown command, the help for all commands is printed.
  const isCommand = new RegExp(`^Usage: .*attribution ${command}( |$)`, 'm').test(help);
  if (command === '' || !isCommand || code !== 0 || unknown.length > 0)
    return [`${who} runs \`${args.join(' ')}\`, which does not exist`];
  const role = args[args.indexOf('--role') + 1];
  return options.includes('--role') && !help.includes(`"${role}"`)
    ? [`${who} has the unknown role ${role}`]
    : [];
}
