import { Button, FileButton, Group, Input, Text } from '@mantine/core';
import { useId, useRef } from 'react';
import type { LogoLimits } from '../../../client/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';

export interface ChosenLogo {
  /** Path of the saved logo, or the chosen file as a data URL. */
  url: string;
  width: number;
  height: number;
  /** Content to save; null if this logo is the saved one. */
  base64: string | null;
}

interface LogoFieldProps {
  logo: ChosenLogo | null;
  limits: LogoLimits;
  problem: string | null;
  onProblem(problem: string): void;
  onChange(logo: ChosenLogo | null): void;
}

/** Field for a logo. Rejects files that the service would reject, without uploading them. The service checks again. */
export function LogoField({ logo, limits, problem, onProblem, onChange }: LogoFieldProps) {
  const describedBy = useId();
  const reset = useRef<() => void>(null);
  const choose = async (file: File | null): Promise<void> => {
    if (file === null) return;
    reset.current?.(); // lets the person choose the same file again after editing it
    const read = await readLogo(file, limits);
    if (typeof read === 'string') onProblem(read);
    else onChange(read);
  };
  const kilobytes = String(limits.bytes / 1_024);
  return (
    <Input.Wrapper
      label={t('Logo')}
      labelElement="div"
      description={t(
        'PNG, JPEG, or WebP, at most {kilobytes} kB. A wide PNG on a transparent or white background looks best. Some email clients don’t show WebP.',
        { kilobytes },
      )}
      descriptionProps={{ id: describedBy }}
      error={problem}
      errorProps={{ role: 'alert' }}
      maw={560}
    >
      <Group gap="xs" my={6}>
        <FileButton
          accept="image/png,image/jpeg,image/webp"
          onChange={(file) => void choose(file)}
          resetRef={reset}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              aria-describedby={describedBy}
              leftSection={<Icon name="upload" size={16} />}
            >
              {logo === null ? t('Choose logo') : t('Replace logo')}
            </Button>
          )}
        </FileButton>
        {logo !== null && (
          <>
            <Button variant="subtle" color="gray" onClick={() => onChange(null)}>
              {t('Remove logo')}
            </Button>
            <Text size="sm" c="dimmed">
              {t('{width} × {height} pixels', { width: String(logo.width), height: String(logo.height) })}
            </Text>
          </>
        )}
      </Group>
    </Input.Wrapper>
  );
}

/** @returns the logo, or the reason why it can't be used */
async function readLogo(file: File, { bytes, minSide, maxSide }: LogoLimits): Promise<ChosenLogo | string> {
  if (file.type === 'image/svg+xml')
    return t('An SVG can contain scripts, and most email clients don’t show it. Export the logo as a PNG.');
  if (file.size > bytes)
    return t('The logo is {size} kB. The maximum is {most} kB.', {
      size: String(Math.ceil(file.size / 1_024)),
      most: String(bytes / 1_024),
    });
  const url = await dataUrl(file);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    return t('The file isn’t an image that can be shown. Export the logo as a PNG.');
  }
  const { naturalWidth: width, naturalHeight: height } = image;
  if (Math.min(width, height) < minSide || Math.max(width, height) > maxSide)
    return t(
      'The logo is {width} × {height} pixels. Its width and height must be {minSide} to {maxSide} pixels.',
      { width: String(width), height: String(height), minSide: String(minSide), maxSide: String(maxSide) },
    );
  return { url, width, height, base64: url.slice(url.indexOf(',') + 1) };
}

const dataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
