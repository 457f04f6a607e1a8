import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AuditEntry, AuditName } from '../../../client/types.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { t } from '../../../ui/text.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { useZone } from '../../../ui/zone.ts';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import classes from './named-thing.module.css';
import { placeOf, readTarget, type Thing } from './places.ts';

export const targetName = ({ names }: AuditEntry): AuditName | undefined =>
  names.find(({ as }) => as === 'target');

export function Target({ entry, withCopyButton = false }: { entry: AuditEntry; withCopyButton?: boolean }) {
  const { target } = entry;
  const copy = withCopyButton ? <CopyButton value={target} label={t('Copy target')} /> : null;
  return (
    <NamedThing thing={readTarget(target)} name={targetName(entry)} id={target}>
      {copy}
    </NamedThing>
  );
}

/** Target in the list: its name, or else its id without the kind, which the action names. The drawer shows the whole id. */
export function ShortTarget({ entry }: { entry: AuditEntry }) {
  const thing = readTarget(entry.target);
  const name = targetName(entry);
  const nameOf = useNames();
  const linked = useLinked(thing, name);
  return (
    <Text size="sm" className={classes.name} component="span" title={entry.target}>
      {linked(name === undefined ? thing.id : nameOf(name))}
    </Text>
  );
}

interface NamedThingProps {
  thing: Thing;
  name: AuditName | undefined;
  id?: string;
  children?: ReactNode;
}

/** Name above an id. The name links to the object's screen if the role can open that screen. */
export function NamedThing({ thing, name, id = thing.id, children }: NamedThingProps) {
  const nameOf = useNames();
  const linked = useLinked(thing, name);
  if (name === undefined)
    return (
      <Text size="sm" className={classes.id} component="span">
        {linked(id)} {children}
      </Text>
    );
  return (
    <Stack gap={0} align="flex-start">
      <Text size="sm" className={classes.name}>
        {linked(nameOf(name))}
      </Text>
      <Text size="xs" c="dimmed" className={classes.id} component="span" data-second-line>
        {id} {children}
      </Text>
    </Stack>
  );
}

/** Returns a function that links a text to the object's screen, if there is one that the role can open. */
function useLinked(thing: Thing, name: AuditName | undefined): (text: string) => ReactNode {
  const { may } = usePublisher();
  const found = placeOf(thing, name);
  const place = found?.permission === undefined || may(found.permission) ? found : null;
  return (text) =>
    place === null ? (
      text
    ) : (
      <ScreenLink screen={place.screen} query={place.query ?? {}}>
        {text}
      </ScreenLink>
    );
}

/** Returns a function that formats names. A schedule is named after its window in the reader's time zone. */
export function useNames(): (name: AuditName) => string {
  const zone = useZone();
  return ({ kind, name }) =>
    kind === 'schedule'
      ? name
          .split(' – ')
          .map((at) => (Number.isNaN(Date.parse(at)) ? at : formatWhen(at, zone)))
          .join(' – ')
      : name;
}
