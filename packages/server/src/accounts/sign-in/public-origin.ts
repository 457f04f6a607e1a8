import { loopbackNames } from '../../platform/setting-parsers.ts';

/**
 * Where browsers are when they sign in.
 * @param host the request's Host header
 * @returns `https://host` or `http://localhost:8080`; null where nobody can sign in
 */
export function publicOrigin(publicUrl: string | null, host: string | undefined): string | null {
  if (publicUrl !== null) return publicUrl;
  // A name that somebody else's DNS gives this machine is not taken: its pages would be this one's.
  const name = host?.replace(/:\d{1,5}$/, '') ?? '';
  return loopbackNames.includes(name) && URL.canParse(`http://${host}`)
    ? new URL(`http://${host}`).origin
    : null;
}

export const noPublicOrigin =
  'People sign in over HTTPS, or on the machine itself at http://localhost. Set PUBLIC_URL to the address that browsers use, such as https://creators.example.com.';
