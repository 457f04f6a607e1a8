import { loopbackNames } from '../../platform/setting-parsers.ts';

/**
 * Returns the origin of the dashboard for a request.
 * @param host the request's Host header
 * @returns `https://host` or `http://localhost:8080`; null if people can't sign in at this host
 */
export function publicOrigin(publicUrl: string | null, host: string | undefined): string | null {
  if (publicUrl !== null) return publicUrl;
  // Other host names are rejected, because an attacker's DNS could point them at this machine (DNS rebinding).
  const name = host?.replace(/:\d{1,5}$/, '') ?? '';
  return loopbackNames.includes(name) && URL.canParse(`http://${host}`)
    ? new URL(`http://${host}`).origin
    : null;
}

export const noPublicOrigin =
  'Signing in requires HTTPS, or http://localhost on the machine itself. Set PUBLIC_URL to the address that browsers use, such as https://creators.example.com.';
