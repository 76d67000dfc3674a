import type { CallDocument } from '@model-gateway/server/operations/documents';
import { statusText } from '../../parts/status.tsx';
import { durationText } from '../../parts/values.tsx';

interface Step {
  readonly name: string;
  readonly className: 's1' | 's4' | 's7';
  readonly startMs: number;
  readonly tookMs: number;
  readonly result?: string;
}

/** From the reservation to the booking, each with its bar. */
export function TimeFlow({ call }: { readonly call: CallDocument }) {
  const steps = stepsOf(call);
  const whole = Math.max(1, ...steps.map(({ startMs, tookMs }) => startMs + tookMs));
  const label = steps.map((step) => `${step.name} ${textOf(step)}`).join(', ');
  return (
    <div class="flow" role="img" aria-label={label}>
      {steps.map((step) => (
        <StepBar key={step.name} step={step} whole={whole} />
      ))}
    </div>
  );
}

function StepBar({ step, whole }: { readonly step: Step; readonly whole: number }) {
  const { name, className, startMs, tookMs, result } = step;
  const width = Math.max(0.9, (tookMs / whole) * 100);
  const x = Math.min(100 - width, (startMs / whole) * 100);
  return (
    <>
      <span>{name}</span>
      <svg aria-hidden="true">
        <rect class={className} x={`${x}%`} width={`${width}%`} height="100%" rx="3" />
      </svg>
      <span>
        {result !== undefined && `${result} after `}
        <b>{durationText(tookMs)}</b>
      </span>
    </>
  );
}

function textOf({ result, tookMs }: Step): string {
  const took = durationText(tookMs);
  return result === undefined ? took : `${result} after ${took}`;
}

/** Derived from the recorded durations. */
function stepsOf({ startedAt, tookMs, attempts }: CallDocument): readonly Step[] {
  const start = Date.parse(startedAt);
  const steps: Step[] = [];
  let at = 0;
  for (const [index, attempt] of attempts.entries()) {
    const startMs = Math.max(at, Date.parse(attempt.startedAt) - start);
    const before = index === 0 ? 'Reserve' : `Wait ${attempts.length > 2 ? index : ''}`.trim();
    steps.push({ name: before, className: 's7', startMs: at, tookMs: startMs - at });
    const isAnswered = attempt.outcome === 'answered';
    steps.push({
      name: `Attempt ${index + 1}`,
      className: isAnswered ? 's1' : 's4',
      ...{ startMs, tookMs: attempt.tookMs },
      result: attempt.status === null ? outcomeText(attempt.outcome) : `${attempt.status}`,
    });
    at = startMs + attempt.tookMs;
  }
  const last = attempts.length === 0 ? 'Rejected' : 'Book';
  return [...steps, { name: last, className: 's7', startMs: at, tookMs: Math.max(0, tookMs - at) }];
}

export function outcomeText(outcome: string): string {
  return outcome === 'answered' ? 'Succeeded' : statusText(outcome);
}
