import { crc32 } from 'node:zlib';

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

export interface Image {
  type: ImageType;
  width: number;
  height: number;
}

/** Reason the bytes aren't an accepted image. */
export type ImageProblem = 'svg' | 'unknown' | 'damaged' | 'animated';

/**
 * Reads an image's type and size from its bytes. The file must contain exactly one image: if data is missing or has
 * been added, such as an archive after the image, the file counts as damaged.
 */
export function readImage(bytes: Buffer): Image | ImageProblem {
  try {
    if (bytes.subarray(0, 8).equals(pngSignature)) return readPng(bytes);
    if (bytes.subarray(0, 3).equals(jpegSignature)) return readJpeg(bytes);
    if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
      return readWebp(bytes);
  } catch (error) {
    if (error instanceof RangeError) return 'damaged'; // a length points outside the file
    throw error;
  }
  return /<svg[\s>]/i.test(bytes.toString('latin1', 0, 4_096)) ? 'svg' : 'unknown';
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegSignature = Buffer.from([0xff, 0xd8, 0xff]);

const sized = (type: ImageType, width: number, height: number): Image | ImageProblem =>
  width > 0 && height > 0 ? { type, width, height } : 'damaged';

/** A PNG is a list of chunks: length, name, content, checksum. */
function readPng(bytes: Buffer): Image | ImageProblem {
  const names: string[] = [];
  for (let at = 8; at < bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return 'damaged';
    names.push(name);
    at = end + 4;
    if (name === 'IEND' && at !== bytes.length) return 'damaged';
  }
  if (names.includes('acTL')) return 'animated';
  if (names[0] !== 'IHDR' || !names.includes('IDAT') || names.at(-1) !== 'IEND') return 'damaged';
  return sized('image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

/** Markers that start a frame, which contains the size. C4, C8 and CC mean something else. */
const startsFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** A JPEG is a list of segments. The data of a scan (marker DA) follows its segment, and marker D9 ends the file. */
function readJpeg(bytes: Buffer): Image | ImageProblem {
  let size: [width: number, height: number] | null = null;
  let hasScan = false;
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) return 'damaged';
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xd9) {
      const isWhole = hasScan && at + 2 === bytes.length;
      return size !== null && isWhole ? sized('image/jpeg', ...size) : 'damaged';
    }
    if (marker === 0xff) {
      at += 1; // fill byte
      continue;
    }
    if (startsFrame(marker)) size = [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (marker === 0xda) hasScan = true;
    at = marker === 0xda ? endOfScan(bytes, end) : end;
  }
}

/**
 * Returns the position of the first marker after a scan. FF 00 and the markers D0 to D7 are part of the scan's data.
 */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = start; ; at += 2) {
    at = bytes.indexOf(0xff, at);
    if (at === -1) throw new RangeError('the scan has no end');
    const marker = bytes.readUInt8(at + 1);
    if (marker !== 0 && (marker < 0xd0 || marker > 0xd7)) return at;
  }
}

/** A WebP is a list of chunks in a RIFF container: name, length, content, and a byte if the length is odd. */
function readWebp(bytes: Buffer): Image | ImageProblem {
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return 'damaged';
  let image: Image | ImageProblem = 'damaged';
  for (let at = 12; at < bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const content = at + 8;
    if (name === 'ANIM' || name === 'ANMF') return 'animated';
    if (name === 'VP8 ')
      image = sized(
        'image/webp',
        bytes.readUInt16LE(content + 6) & 0x3f_ff,
        bytes.readUInt16LE(content + 8) & 0x3f_ff,
      );
    if (name === 'VP8L' && bytes.readUInt8(content) === 0x2f) {
      const packed = bytes.readUInt32LE(content + 1);
      image = sized('image/webp', (packed & 0x3f_ff) + 1, ((packed >>> 14) & 0x3f_ff) + 1);
    }
    at = content + length + (length % 2);
    if (at > bytes.length) return 'damaged';
  }
  return image;
}
