/** Command as it is typed: in a checkout only npx finds it, in an image it is on the PATH. */
export const programAsTyped = process.argv[1]?.startsWith('/usr/local/bin/')
  ? 'attribution'
  : 'npx attribution';

/**
 * A command as hints write it, so that it can be pasted.
 * @param words of the command, such as `keys create`
 */
export const asTyped = (words: string): string => `${programAsTyped} ${words}`;
