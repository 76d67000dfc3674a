import type { ComponentChildren } from 'preact';
import type { Failure } from '../data/failure.ts';
import { isFailure } from '../data/use-preview.ts';
import { deedOf } from '../text/audit-words.ts';
import { changesText } from './changed.tsx';
import { Alert } from './states.tsx';

interface ChangePreviewProps<Done> {
  readonly of: Done | Failure;
  readonly preview: ((result: Done) => ComponentChildren) | undefined;
}

export function ChangePreview<Done>({ of, preview }: ChangePreviewProps<Done>) {
  if (isFailure(of)) return <Alert tone="warn">{of.message}</Alert>;
  return (
    <Alert tone="good">
      {preview?.(of)}
      <Changes of={of} />
    </Alert>
  );
}

interface Line {
  readonly action: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
}

interface Lines {
  readonly changes: readonly Line[];
}

function hasLines(answer: unknown): answer is Lines {
  return typeof answer === 'object' && answer !== null && 'changes' in answer;
}

function Changes({ of }: { readonly of: unknown }) {
  if (!hasLines(of)) return null;
  if (of.changes.length === 0) return <p>Nothing would change.</p>;
  return (
    <>
      <p>This will be recorded in Activity:</p>
      <ul class="changes">
        {of.changes.map((line) => (
          <li key={`${line.action} ${line.subject} ${line.after}`}>{lineText(line)}</li>
        ))}
      </ul>
    </>
  );
}

/** In the format of Activity: `Changed app tutor: Daily budget $20.00 → $50.00`. */
function lineText(line: Line): string {
  const deed = `${deedOf(line.action)} ${line.subject}`;
  const changes = changesText(line);
  return changes === '' ? deed : `${deed}: ${changes}`;
}
