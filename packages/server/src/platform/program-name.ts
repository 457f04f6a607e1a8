/**
 * Name of the command as the operator types it. In a checkout, only npx finds the command; in an image, it is
 * on the PATH.
 */
export const commandName = process.argv[1]?.startsWith('/usr/local/bin/') ? 'attribution' : 'npx attribution';

/**
 * Returns a command as the operator types it, so that messages can be copied and pasted.
 * @param words the rest of the command, such as `keys create`
 */
export const asTyped = (words: string): string => `${commandName} ${words}`;
