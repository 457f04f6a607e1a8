import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useEscape } from '../escape.ts';
import { Icon } from '../icons.tsx';
import { t } from '../text.ts';
import classes from './dates.module.css';
import { dateText, readDate } from './read-date.ts';

/** Calendars load when the first one opens. */
const Calendar = lazy(() => import('./calendar.tsx').then((module) => ({ default: module.Calendar })));

interface DateInputProps extends Omit<TextInputProps, 'type' | 'value' | 'onChange' | 'min'> {
  /** `2026-07-01`, or with a time `2026-07-01T00:00`; empty for no date. */
  value: string;
  withTime?: boolean;
  /** First day that the calendar offers. */
  minDay?: string;
  /**
   * Calendar to show instead of the field's own.
   * @param close closes the calendar after a choice
   */
  calendar?(close: () => void): ReactNode;
  /**
   * @param value empty while the text isn't a date
   * @param text the text as typed
   */
  onChange(value: string, text: string): void;
}

/** Field for a date, or a date and time, which a person can type, paste, or choose in a calendar. */
export function DateInput({
  value,
  withTime = false,
  minDay,
  calendar,
  onChange,
  error,
  ...field
}: DateInputProps) {
  const [text, setText] = useState(dateText(value));
  const [isIncomplete, setIncomplete] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const reported = useRef(value);
  const shown = useRef(value);
  // The value may also change from outside: by a link, Back, a reset or another time zone.
  if (shown.current !== value) {
    shown.current = value;
    if (reported.current !== value) {
      reported.current = value;
      setText(dateText(value));
      setIncomplete(false);
    }
  }
  const close = (): void => {
    setOpen(false);
    input.current?.focus();
  };
  useEscape(isOpen, close);
  const isInvalid = text.trim() !== '' && readDate(text, withTime) === null;
  // `hasCompleteDates` reads the validity from the field itself.
  useEffect(() => input.current?.setCustomValidity(isInvalid ? 'incomplete' : ''), [isInvalid]);
  const report = (typed: string): void => {
    setText(typed);
    const read = readDate(typed, withTime) ?? '';
    if (read !== '' || typed.trim() === '') setIncomplete(false);
    reported.current = read;
    onChange(read, typed);
  };
  return (
    <TextInput
      placeholder={withTime ? t('YYYY-MM-DD hh:mm') : t('YYYY-MM-DD')}
      autoComplete="off"
      {...field}
      data-date
      ref={input}
      value={text}
      error={isIncomplete ? incompleteText(withTime) : error}
      onInvalid={() => setIncomplete(true)}
      onChange={({ currentTarget }) => report(currentTarget.value)}
      onBlur={() => {
        setIncomplete(isInvalid);
        if (!isInvalid && value !== '') setText(dateText(value));
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' || !event.altKey) return;
        event.preventDefault();
        setOpen(true);
      }}
      rightSection={
        <Popover
          opened={isOpen}
          onChange={setOpen}
          closeOnEscape={false}
          position="bottom-end"
          shadow="md"
          trapFocus
        >
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('Choose from a calendar')}
              disabled={field.disabled}
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name="calendar" size={16} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown className={classes.dropdown}>
            {isOpen && (
              <Suspense fallback={<div className={classes.loading} />}>
                {calendar?.(close) ?? (
                  <Calendar
                    value={value}
                    withTime={withTime}
                    minDay={minDay}
                    onChange={(chosen) => {
                      report(chosen);
                      setText(dateText(chosen));
                      if (!withTime) close();
                    }}
                  />
                )}
              </Suspense>
            )}
          </Popover.Dropdown>
        </Popover>
      }
    />
  );
}

const incompleteText = (withTime: boolean): string =>
  withTime
    ? t('Enter a date and time such as {example}, or leave it empty.', { example: '2026-07-31 18:00' })
    : t('Enter a date such as {example}, or leave it empty.', { example: '2026-07-31' });

/** Focuses the first field in a form whose text isn't a date. @returns whether all dates are complete */
export function hasCompleteDates(form: HTMLFormElement): boolean {
  const incomplete = [...form.querySelectorAll('input')].find(({ validity }) => validity.customError);
  incomplete?.focus();
  return incomplete?.checkValidity() ?? true;
}
