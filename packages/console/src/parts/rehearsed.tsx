import type { ComponentChildren } from 'preact';
import type { Failure } from '../data/failure.ts';
import { isFailure } from '../data/use-rehearsal.ts';
import { Diff } from './diff.tsx';
import { Alert } from './states.tsx';

interface RehearsedProps<Done> {
  readonly of: Done | Failure;
  readonly preview: ((rehearsed: Done) => ComponentChildren) | undefined;
}

export function Rehearsed<Done>({ of, preview }: RehearsedProps<Done>) {
  if (isFailure(of)) return <Alert tone="warn">{of.message}</Alert>;
  return (
    <Alert tone="good">
      {preview?.(of)}
      <Changes of={of} />
    </Alert>
  );
}

interface Lines {
  readonly changes: readonly {
    readonly action: string;
    readonly subject: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

function hasLines(answer: unknown): answer is Lines {
  return typeof answer === 'object' && answer !== null && 'changes' in answer;
}

function Changes({ of }: { readonly of: unknown }) {
  if (!hasLines(of)) return null;
  if (of.changes.length === 0) return <p>Nothing would change.</p>;
  return (
    <ul class="changes">
      {of.changes.map(({ action, subject, before, after }) => (
        <li key={`${action} ${subject} ${after}`}>
          {action} {subject}: <Diff before={before} after={after} />
        </li>
      ))}
    </ul>
  );
}
