import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { listCodesOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import type { CodeRefusal, CreatorCode, CreatorSupporters } from '../../../client/portal/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { CopyCode } from '../../copy-code.tsx';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { byStatus, MemberNotice } from '../../member-notice.tsx';
import { PageNotLoaded } from '../../pages.ts';
import { usePublisher } from '../../publisher.ts';
import { Skeletons } from '../../skeletons.tsx';
import classes from './codes.module.css';
import { savePanelPicture } from './panel-picture.ts';

/** Loads the code that draws QR codes. It is needed only after a tap. */
const loadQrCode = () =>
  import('../../../ui/qr-code.tsx').catch((error: unknown) => {
    throw new PageNotLoaded('the code of QR codes could not be loaded', { cause: error });
  });
const QrCode = lazy(async () => ({ default: (await loadQrCode()).QrCode }));

/** The creator's codes, to copy and share. */
export function Page() {
  // So that a QR code can be shown at an event without a connection.
  useEffect(() => void loadQrCode().catch(() => undefined), []);
  const { publisherId, name } = usePublisher();
  const { data, error, refetch } = useQuery(listCodesOptions({ query: { publisher: publisherId } }));
  return (
    <CreatorPage title={t('Your codes')}>
      {data !== undefined ? (
        <Stack gap="xl">
          {data.groups.toSorted(byStatus).map((group) => (
            <section key={`${group.groupId} ${group.accountId}`}>
              {data.groups.length > 1 && <h2 className={classes.group}>{group.groupName}</h2>}
              <MemberNotice status={group.status} groupId={group.groupId} groupName={group.groupName} />
              <SupporterLine supporters={group.supporters} />
              {group.codes.length === 0 && (
                <Text c="dimmed">
                  {t('You have no code yet. Ask {publisher} for one.', { publisher: name })}
                </Text>
              )}
              <ul className={classes.codes}>
                {group.codes.map((code) => (
                  <Code key={`${code.scope} ${code.code}`} code={code} isAlone={group.codes.length === 1} />
                ))}
              </ul>
            </section>
          ))}
        </Stack>
      ) : error !== null ? (
        <Failing error={error} title={t('Couldn’t load your codes')} onRetry={() => void refetch()} />
      ) : (
        <Skeletons heights={[150, 150]} />
      )}
    </CreatorPage>
  );
}

/** Number of players who support the creator. Nothing if the game doesn't keep players' codes. */
function SupporterLine({ supporters: { now, new: added, ended } }: { supporters: CreatorSupporters }) {
  if (now === 0 && added === 0 && ended === 0) return null;
  return (
    <p className={classes.supporters}>
      {t('{now, plural, one {# player supports you} other {# players support you}}', { now })}
      {(added > 0 || ended > 0) && (
        <span className={classes.change}>
          {t('{added} started and {ended} stopped in the last 30 days', { added, ended })}
        </span>
      )}
    </p>
  );
}

function Code({
  code: { code, link, isPrimary, scope, refusedFor },
  isAlone,
}: {
  code: CreatorCode;
  isAlone: boolean;
}) {
  const { name } = usePublisher();
  const [showsQr, setShowsQr] = useState(false);
  const facts = [
    isPrimary && !isAlone ? t('Primary code') : null,
    scope === 'global' ? t('Works in all groups') : null,
  ].filter((fact) => fact !== null);
  return (
    <li className={classes.code}>
      <p className={classes.text} dir="ltr">
        {code}
      </p>
      {facts.length > 0 && <p className={classes.facts}>{facts.join(' · ')}</p>}
      {refusedFor !== null && refusedFor !== 'member' && (
        <p className={classes.refused}>
          <Icon name="alert" />
          <span>{reasonOf(refusedFor, name)}</span>
        </p>
      )}
      <Group gap="xs" mt="sm">
        <CopyCode code={code} isMain={refusedFor === null} />
        {link !== null && (
          <CopyCode code={link} name={t('Copy link')} label={t('Copy link of {code}', { code })} />
        )}
        {'share' in navigator && (
          <Button
            size="md"
            variant="default"
            aria-label={t('Share {code}', { code })}
            onClick={() => share(code, link)}
          >
            {t('Share')}
          </Button>
        )}
        <Button
          size="md"
          variant="default"
          aria-label={showsQr ? t('Hide QR code of {code}', { code }) : t('Show QR code of {code}', { code })}
          aria-expanded={showsQr}
          onClick={() => setShowsQr(!showsQr)}
        >
          {t('QR code')}
        </Button>
        <Button
          size="md"
          variant="default"
          aria-label={t('Save panel picture of {code}', { code })}
          onClick={(event) =>
            void savePanelPicture({
              ...{ code, publisher: name, like: event.currentTarget },
              text: t('Support me with the code'),
            })
          }
        >
          {t('Panel picture')}
        </Button>
      </Group>
      {showsQr && (
        <div className={classes.qr}>
          <Suspense fallback={<Skeletons heights={[200]} />}>
            <QrCode text={link ?? code} label={t('QR code of {code}', { code })} />
          </Suspense>
        </div>
      )}
    </li>
  );
}

/** Opens the phone's share sheet. The promise is rejected if the person closes it. */
function share(code: string, link: string | null): void {
  void navigator.share({ text: code, ...(link !== null && { url: link }) }).catch(() => undefined);
}

/** Returns why a code credits nothing. The notice of the group explains it for codes of a membership. */
const reasonOf = (refusal: Exclude<CodeRefusal, 'member'>, publisher: string): string =>
  refusal === 'code'
    ? t('Purchases with this code aren’t credited to you: {publisher} hasn’t approved it.', { publisher })
    : t(
        'Purchases with this code aren’t credited to you here because another creator in this group has the same code.',
      );
