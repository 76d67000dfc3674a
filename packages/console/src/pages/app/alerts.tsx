import type { AppPage } from '@model-gateway/server/operations/documents';
import type { ComponentChildren } from 'preact';
import { Alert } from '../../parts/states.tsx';
import { When } from '../../parts/values.tsx';
import { stateOf } from './budget-state.ts';

interface AlertsProps {
  readonly page: AppPage;
  /** The button that changes the budget. */
  readonly raise: ComponentChildren;
}

/** The one sentence that matters for the next call. */
export function AppAlert({ page, raise }: AlertsProps) {
  const { exhaustedAt } = page.forecast;
  const resets = page.usage.budget?.resetsAt;
  switch (stateOf(page)) {
    case 'disabled':
      return (
        <Alert tone="warn">
          <b>This app is disabled.</b> Its keys are rejected. Running calls finish normally.
        </Alert>
      );
    case 'used':
      return (
        <Alert tone="warn" actions={raise}>
          <b>
            {exhaustedAt === null ? (
              'The budget is used up.'
            ) : (
              <>
                Used up since <When at={exhaustedAt} isTime />.
              </>
            )}
          </b>{' '}
          Calls are rejected until <When at={resets} isTime />.
        </Alert>
      );
    case 'tight':
      return (
        <Alert tone="warn" actions={raise}>
          <b>
            Forecast to reach its budget at about <When at={exhaustedAt} isTime />.
          </b>{' '}
          After that, calls are rejected until <When at={resets} isTime />.
        </Alert>
      );
    default:
      return null;
  }
}
