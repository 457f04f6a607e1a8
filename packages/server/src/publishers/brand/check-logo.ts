import { Refusal } from '../../platform/refusal.ts';
import { type Image, type ImageProblem, readImage } from './read-image.ts';

/** Maximum size of a logo, in bytes. Every email loads its logo, often on a phone. */
export const maxLogoBytes = 256 * 1024;
/** Minimum and maximum width and height of a logo, in pixels. Even a small file can decode to a huge image. */
export const logoSides = { min: 16, max: 2_000 } as const;

const problems: Readonly<Record<ImageProblem, string>> = {
  svg: 'An SVG can contain scripts, and most email clients don’t show it. Export the logo as a PNG.',
  unknown: 'The logo must be a PNG, JPEG or WebP image.',
  damaged: 'The image is incomplete, or the file contains data after the image. Export it again.',
  animated: 'The logo must not be animated. Export a single image.',
};

/** @throws Refusal InvalidInput */
export function checkLogo(base64: string): Image & { bytes: Buffer } {
  const refuse = (message: string): Refusal => new Refusal('InvalidInput', message, { path: ['logo'] });
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) throw refuse('The logo must be a base64-encoded image.');
  if (bytes.length > maxLogoBytes)
    throw refuse(`The logo must not be larger than ${maxLogoBytes / 1_024} kB.`);
  const image = readImage(bytes);
  if (typeof image === 'string') throw refuse(problems[image]);
  const { min, max } = logoSides;
  if ([image.width, image.height].some((side) => side < min || side > max))
    throw refuse(
      `The logo is ${image.width} × ${image.height} pixels. Its width and height must be ${min} to ${max}.`,
    );
  return { ...image, bytes };
}
