import { Button, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { getStreamAlertQueryKey } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { changeStreamAlert } from '../../../client/portal/sdk.gen.ts';
import type { StreamAlert } from '../../../client/portal/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { Failing } from '../../failing.tsx';
import { usePublisher } from '../../publisher.ts';
import { Select } from '../../select.tsx';
import classes from './stream-alert.module.css';

const maxLength = 120;
const seconds = [3, 4, 5, 6, 8, 10, 15, 20];

/** Form for the text of the stream alert, its position, and its duration. */
export function SettingsForm({ alert }: { alert: StreamAlert }) {
  const { publisherId } = usePublisher();
  const client = useQueryClient();
  const { error, isBusy, run } = useAttempt();
  const [text, setText] = useState(alert.text);
  const [placement, setPlacement] = useState<StreamAlert['placement']>(alert.placement);
  const [showSeconds, setShowSeconds] = useState(alert.showSeconds);
  const length = [...text.trim()].length;
  const { errors, check } = useFormErrors({
    text:
      length === 0
        ? t('Text is required.')
        : length > maxLength
          ? t('Enter at most {count} characters.', { count: maxLength })
          : null,
  });
  const save = async (): Promise<void> => {
    const query = { publisher: publisherId };
    const body = { text: text.trim(), placement, showSeconds };
    const { data } = await changeStreamAlert({ query, body, throwOnError: true });
    client.setQueryData(getStreamAlertQueryKey({ query }), data);
    announce(t('Saved'));
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (check(event.currentTarget)) void run(save);
  };
  return (
    <section>
      <h2 className={classes.title}>{t('Appearance')}</h2>
      <form noValidate onSubmit={submit}>
        <Stack>
          <TextInput
            name="text"
            size="md"
            label={t('Text')}
            description={t('{code} and {product} are replaced with the code and the product.', {
              code: '{code}',
              product: '{product}',
            })}
            autoComplete="off"
            value={text}
            error={errors.text}
            onChange={({ currentTarget: { value } }) => setText(value)}
          />
          <Select
            label={t('Position')}
            value={placement}
            onChange={({ currentTarget: { value } }) => setPlacement(placementOf(value))}
          >
            <option value="top">{t('Top')}</option>
            <option value="middle">{t('Middle')}</option>
            <option value="bottom">{t('Bottom')}</option>
          </Select>
          <Select
            label={t('Duration')}
            value={String(showSeconds)}
            onChange={({ currentTarget: { value } }) => setShowSeconds(Number(value))}
          >
            {[...new Set([...seconds, alert.showSeconds])]
              .toSorted((one, other) => one - other)
              .map((each) => (
                <option key={each} value={each}>
                  {t('{count, plural, one {# second} other {# seconds}}', { count: each })}
                </option>
              ))}
          </Select>
          {error !== null && <Failing error={error} title={t('Nothing was changed')} />}
          <Button type="submit" size="md" loading={isBusy}>
            {t('Save')}
          </Button>
        </Stack>
      </form>
    </section>
  );
}

const placementOf = (value: string): StreamAlert['placement'] =>
  value === 'middle' || value === 'bottom' ? value : 'top';
