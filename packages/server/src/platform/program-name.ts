/** How this program is called in a checkout, where nothing but npx finds it. */
export const programAsTyped = 'npx attribution';

/**
 * A command as hints write it, so that it can be pasted.
 * @param words of the command, such as `keys create`
 */
export const asTyped = (words: string): string => `${programAsTyped} ${words}`;
