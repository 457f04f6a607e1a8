import { Anchor, Button, Text } from '@mantine/core';
import { t } from '../../ui/text.ts';
import { LinkButton } from '../link-button.tsx';
import { ScreenLink } from '../screen-link.tsx';
import { useEndpoints } from '../screens/webhooks/use-endpoints.ts';
import type { FormName } from './forms.tsx';
import { type Place, places, type StepName, testEndpoint } from './step-places.ts';

interface StartProps {
  step: StepName;
  onOpen(form: FormName): void;
}

/** Title of an open step with an explanation. The title starts the step, unless a button below it does. */
export function StartLink({ step, isNext, onOpen }: StartProps & { isNext: boolean }) {
  return (
    <Placed step={step}>
      {({ title, about, form, screen }) => (
        <>
          {isNext || (form === undefined && screen === undefined) ? (
            <Text span inherit {...(isNext && { fw: 600 })}>
              {t(title)}
            </Text>
          ) : screen === undefined ? (
            <OpenForm onClick={() => form !== undefined && onOpen(form)}>{t(title)}</OpenForm>
          ) : (
            <ScreenLink isInText {...screen}>
              {t(title)}
            </ScreenLink>
          )}
          <Text size="sm" c="dimmed">
            {t(about)}
          </Text>
        </>
      )}
    </Placed>
  );
}

/** Main button of the next step; nothing for a step with buttons of its own. */
export function StartButton({ step, onOpen }: StartProps) {
  return (
    <Placed step={step}>
      {({ button, form, screen }) => {
        if (screen !== undefined) return <LinkButton {...screen}>{t(button)}</LinkButton>;
        return form !== undefined && <Button onClick={() => onOpen(form)}>{t(button)}</Button>;
      }}
    </Placed>
  );
}

interface PlacedProps {
  step: StepName;
  children(place: Place): React.ReactNode;
}

const Placed = ({ step, children }: PlacedProps) =>
  step === 'webhook' ? <PlacedWebhook>{children}</PlacedWebhook> : children(places[step]);

/** An endpoint that was added, but not tested yet, isn't added again. */
function PlacedWebhook({ children }: Pick<PlacedProps, 'children'>) {
  const { data } = useEndpoints();
  return children((data?.rows.length ?? 0) > 0 ? testEndpoint : places.webhook);
}

const OpenForm = ({ onClick, children }: { onClick(): void; children: string }) => (
  <Anchor
    component="button"
    type="button"
    inherit
    underline="always"
    ta="start"
    // On the baseline, a button would make its line higher than that of a link.
    style={{ verticalAlign: 'top' }}
    onClick={onClick}
  >
    {children}
  </Anchor>
);
