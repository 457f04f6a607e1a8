import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const url64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** Differences between a passkey's answer and the right one. */
export interface PasskeyFaults {
  origin?: string;
  host?: string;
  type?: string;
  /** False if the passkey hasn't verified its user. */
  isUserVerified?: boolean;
  signCount?: number;
  /** Attestation format. */
  format?: string;
  /** True to sign with another key. */
  forges?: boolean;
}

/** Passkey that answers as a browser and an authenticator do. */
export interface SoftPasskey {
  credentialId: string;
  /** Answers the options for navigator.credentials.create. */
  create(options: { challenge: string }, faults?: PasskeyFaults): object;
  /** Answers the options for navigator.credentials.get. */
  get(options: { challenge: string }, faults?: PasskeyFaults): object;
}

/** Creates a passkey with a key pair of its own. @param at origin of the pages */
export function softPasskey(at: string): SoftPasskey {
  const [pair, other] = [0, 1].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  if (pair === undefined || other === undefined) throw new Error('no keys');
  const id = randomBytes(32);
  const credentialId = url64(id);
  let count = 0;

  const clientData = (type: string, challenge: string, faults: PasskeyFaults): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: faults.type ?? type,
        challenge,
        origin: faults.origin ?? at,
        crossOrigin: false,
      }),
    );
  const head = (faults: PasskeyFaults, flags: number): Buffer => {
    count += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(faults.signCount ?? count);
    const verified = faults.isUserVerified === false ? 0 : 4;
    const host = sha256(faults.host ?? new URL(at).hostname);
    return Buffer.concat([host, Buffer.from([1 | verified | flags]), counter]);
  };
  const answer = (response: object): object => ({
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    credentialId,
    create({ challenge }, faults = {}) {
      const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' });
      // COSE key {1: 2, 3: -7, -1: 1, -2: x, -3: y}
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const data = Buffer.concat([head(faults, 0x40), credential]);
      const format = Buffer.from(faults.format ?? 'none');
      // CBOR {"fmt": format, "attStmt": {}, "authData": data}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74', 'hex'),
        Buffer.from([0x60 | format.length]),
        format,
        Buffer.from('6761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x59, data.length >> 8, data.length & 255]),
        data,
      ]);
      return answer({
        clientDataJSON: url64(clientData('webauthn.create', challenge, faults)),
        attestationObject: url64(attestation),
        transports: ['internal'],
      });
    },
    get({ challenge }, faults = {}) {
      const data = head(faults, 0);
      const client = clientData('webauthn.get', challenge, faults);
      const { privateKey } = faults.forges ? other : pair;
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return answer({
        clientDataJSON: url64(client),
        authenticatorData: url64(data),
        signature: url64(signature),
      });
    },
  };
}
