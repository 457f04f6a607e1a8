/**
 * Name of the command as the operator types it. In a checkout, only npx finds the command; in an image, it is
 * on the PATH.
 */
export const commandName = process.argv[1]?.startsWith('/usr/local/bin/') ? 'attribution' : 'npx attribution';

/**
 * Returns a command as the operator types it, for messages that can be pasted.
 * @param words the rest of the command, such as `keys create`
 */
export const asTyped = (words: string): string => `${commandName} ${words}`;
