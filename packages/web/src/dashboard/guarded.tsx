import type { ComponentType } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';
import { t } from '../ui/text.ts';
import { usePublisher } from './session/session.ts';

/** A screen for those who may do something; a link to it that somebody else follows says why there is nothing. */
export const guarded = (Screen: ComponentType, permission: string): ComponentType =>
  function Guarded() {
    const { may, role } = usePublisher();
    if (may(permission)) return <Screen />;
    return (
      <EmptyState icon="lock" title={t('Your role may not see this')}>
        {t('You are {role} here. An owner gives roles on the Team screen.', { role })}
      </EmptyState>
    );
  };
