import { Writable } from 'node:stream';
import { runCommand } from '../../packages/server/src/main.ts';

/** The program itself says whether it has such a command, with such options. */
export async function argumentProblems(who: string, args: readonly string[]): Promise<string[]> {
  const firstOption = args.findIndex((word) => word.startsWith('--'));
  const words = firstOption === -1 ? args : args.slice(0, firstOption);
  const command = words.join(' ');
  let help = '';
  const heard = new Writable({
    write(chunk, _encoding, done) {
      help += chunk;
      done();
    },
  });
  const code = await runCommand([...words, '--help'], {
    environment: {},
    stdin: () => process.stdin,
    stdout: heard,
    stderr: heard,
  });
  const options = args.filter((word) => word.startsWith('--'));
  const unknown = options.filter((option) => !new RegExp(`${option}\\b`).test(help));
  // Of a word that is no command it shows the help of all.
  const isCommand = new RegExp(`^Usage: .*attribution ${command}( |$)`, 'm').test(help);
  if (command === '' || !isCommand || code !== 0 || unknown.length > 0)
    return [`${who} runs \`${args.join(' ')}\`, which the program does not know`];
  const role = args[args.indexOf('--role') + 1];
  return options.includes('--role') && !help.includes(`"${role}"`) ? [`${who} has the role ${role}`] : [];
}
