import { crc32, inflateRawSync } from 'node:zlib';

/**
 * Unzips a file with Node's zlib, from its directory at the end, and checks each file's checksum and length.
 * Deliberately doesn't use the library that writes ZIP files.
 */
export function readZip(zip: Buffer): Map<string, { text: string; dosTime: number }> {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const files = new Map<string, { text: string; dosTime: number }>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.toString('latin1', at, at + 4) !== 'PK\x01\x02') throw new Error('not a directory entry');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      zip.readUInt16LE(at + offset),
    );
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(at + 20)));
    if (bytes.length !== zip.readUInt32LE(at + 24) || crc32(bytes) !== zip.readUInt32LE(at + 16))
      throw new Error(`${name} is damaged`);
    files.set(name, { text: bytes.toString('utf8'), dosTime: zip.readUInt32LE(at + 12) });
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return files;
}
