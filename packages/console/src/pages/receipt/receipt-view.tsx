import type { Receipt } from '@model-gateway/server/operations/documents';
import { Card } from '../../parts/card.tsx';
import { Duration } from '../../parts/values.tsx';
import { Attempts } from './attempts.tsx';
import { BudgetFlow } from './budget-flow.tsx';
import { Corrections } from './corrections.tsx';
import { Cost } from './cost.tsx';
import { callerFacts, Facts, idFacts, moreFacts } from './facts.tsx';
import { TimeFlow } from './time-flow.tsx';

interface ViewProps {
  readonly shown: Receipt;
  readonly again?: (() => void) | undefined;
}

/** First the reasons for its cost and its course; then its caller and its reservation. */
export function ReceiptView({ shown, again }: ViewProps) {
  const { call } = shown;
  return (
    <div class="grid">
      <div class="c8 stack">
        <Cost shown={shown} again={again} />
        {call.state === 'finished' && (
          <>
            <Card
              title="Time"
              aside={
                <p class="readout">
                  <span>
                    Total{' '}
                    <b>
                      <Duration ms={call.tookMs} />
                    </b>
                  </span>
                  <span>
                    First token{' '}
                    <b>
                      <Duration ms={call.firstMs} />
                    </b>
                  </span>
                </p>
              }
            >
              <TimeFlow call={call} />
            </Card>
            <Attempts attempts={call.attempts} />
            <Corrections corrections={call.corrections} />
          </>
        )}
      </div>
      <div class="c4 stack">
        <BudgetFlow of={shown} />
        <Card title="Details">
          <Facts of={[...callerFacts(shown), ...moreFacts(shown)]} />
        </Card>
        <Card title="Ids">
          <Facts of={idFacts(shown)} />
        </Card>
      </div>
    </div>
  );
}
