import type { ComponentType } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';
import { t } from '../ui/text.ts';
import { usePublisher } from './session/session.ts';

/** Shows the screen, or an explanation if the role lacks the permission. */
export const guarded = (Screen: ComponentType, permission: string): ComponentType =>
  function Guarded() {
    const { may, role } = usePublisher();
    if (may(permission)) return <Screen />;
    return (
      <EmptyState icon="lock" title={t('You don’t have access to this page')}>
        {t('Your role is {role}. An owner can change it on the Team screen.', { role })}
      </EmptyState>
    );
  };
