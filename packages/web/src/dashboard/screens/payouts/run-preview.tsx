import { Box, Button, Stack, Table, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { PreviewTotals } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { BeforeMoney } from '../../first-steps/lazy-before-money.ts';
import { usePreviewSeen } from '../../sandbox/use-preview-seen.ts';
import { usePublisher } from '../../session/session.ts';
import { createLabel } from './create-label.ts';
import { CutoffRow } from './cutoff-row.tsx';
import { DueCautions } from './due-cautions.tsx';
import { DueSums, DueSumsHead, owedIn, useBrief, waitingIn } from './due-totals.tsx';
import { PartsPage } from './parts-page.tsx';
import classes from './payouts.module.css';
import { RunDialog } from './run-dialog.tsx';
import { RunGroups } from './run-groups.tsx';
import { sumOfGroups, useChoice, useRunPreview } from './use-run-preview.ts';

/** Maximum number of payouts that the service creates in one run. */
const maxPayouts = 1_000;

/** Amounts due in all groups and currencies, with one cutoff. The selected ones become payouts of one pay run. */
export function RunPreviewView() {
  const { may } = usePublisher();
  const { setQuery } = useUrlState();
  const [isConfirming, setConfirming] = useState(false);
  const asked = useRunPreview();
  const { data: preview, error } = asked;
  const choice = useChoice(preview);
  usePreviewSeen(preview?.asOf);
  const { offers, chosen } = choice;
  const reason =
    preview !== undefined && offers.length === 0
      ? t('No creator is due a payout')
      : chosen.length > maxPayouts
        ? t('Select at most {max} payouts', { max: formatCount(maxPayouts) })
        : null;
  return (
    <PartsPage
      here=""
      about={t('Amounts due in all groups. Choose a group to see its creators.')}
      mainAction={
        may('payouts') && (
          <>
            {reason !== null && (
              <Text size="sm" c="dimmed">
                {reason}
              </Text>
            )}
            <Button
              onClick={() => setConfirming(true)}
              disabled={chosen.length === 0 || chosen.length > maxPayouts || error !== null}
            >
              {createLabel(chosen.length)}
            </Button>
          </>
        )
      }
    >
      {error !== null && (
        <ErrorNotice
          error={error}
          title={t('Couldn’t load the amounts due')}
          onRetry={() => void asked.refetch()}
        />
      )}
      {error === null && (
        <Box mb="sm">
          <CutoffRow asOf={preview?.asOf} onRefresh={() => setQuery({ asOf: null })} />
        </Box>
      )}
      {error === null && preview === undefined && <LateSkeleton lines={12} />}
      {preview !== undefined && (
        <Stack gap="sm">
          {preview.groups.every(({ totals, problem }) => totals.length === 0 && problem === null) ? (
            <Suspense>
              <BeforeMoney icon="payouts" title={t('No amounts due')} isAboutDue>
                {t(
                  'Purchases appear seconds after they are recorded. Their amounts become due when their hold period ends.',
                )}
              </BeforeMoney>
            </Suspense>
          ) : (
            <>
              <Sums
                totals={sumOfGroups(preview.groups, choice.isChosen)}
                all={sumOfGroups(preview.groups, () => true)}
              />
              <DueCautions
                previews={preview.groups}
                totals={sumOfGroups(preview.groups, () => true)}
                asOf={preview.asOf}
              />
              <RunGroups preview={preview} choice={choice} />
            </>
          )}
        </Stack>
      )}
      {preview !== undefined && (
        <RunDialog
          opened={isConfirming}
          onClose={() => setConfirming(false)}
          asOf={preview.asOf}
          chosen={chosen}
          leftOutCount={offers.length - chosen.length}
        />
      )}
    </PartsPage>
  );
}

/** Selected and waiting amounts of all groups, by currency. */
function Sums({ totals, all }: { totals: readonly PreviewTotals[]; all: readonly PreviewTotals[] }) {
  const waiting = waitingIn(totals);
  const { isBrief, toggle } = useBrief(waiting);
  return (
    <Scroller label={t('Totals by currency')}>
      <Table aria-label={t('Totals by currency')} className={classes.sums}>
        <DueSumsHead first={t('Currency')} waiting={waiting} hasTotal hasHints />
        <Table.Tbody>
          {totals.map((each, index) => (
            <DueSums
              key={each.currency}
              totals={each}
              waiting={waiting}
              isBrief={isBrief}
              total={owedIn(all[index] ?? each)}
            />
          ))}
        </Table.Tbody>
      </Table>
      {toggle}
    </Scroller>
  );
}
