/**
 * Maximum number of cookies read per name. A browser sends one cookie, or a few if other paths and hosts set
 * cookies with the same name. An attacker may send any number.
 */
const maxOfOneName = 8;

/**
 * Reads the cookies that have the given name. A request may contain several.
 * @param cookies the request's Cookie header
 * @returns the percent-decoded values of at most the first eight cookies
 */
export function readCookies(cookies: string, name: string): string[] {
  const values: string[] = [];
  for (const each of cookies.split(';')) {
    const [key, ...rest] = each.split('=');
    if (key?.trim() !== name) continue;
    values.push(decoded(rest.join('=').trim()));
    if (values.length === maxOfOneName) break;
  }
  return values;
}

export const withoutCookies = (cookies: string, name: string): string =>
  cookies
    .split(';')
    .filter((each) => each.split('=', 1)[0]?.trim() !== name)
    .join(';');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
