import { type Change, changesOf, type Sides } from '../text/audit-words.ts';
import { capital } from '../text/capital.ts';

/** `Daily budget $20.00 → $50.00; models none → gpt-5.4` */
export function changesText(line: Sides): string {
  const changes = changesOf(line);
  const text = changes
    .map((change) => [change.name, pairText(change)].filter(Boolean).join(' '))
    .join('; ');
  return changes[0]?.name === '' ? text : capital(text);
}

function pairText({ name, before, after }: Change): string {
  if (before === null) return after ?? '';
  if (after === null && name === '') return before;
  return `${before} → ${after ?? 'none'}`;
}

export function Changed({ of }: { readonly of: readonly Change[] }) {
  return (
    <dl class="facts">
      {of.map((change) => (
        <div key={change.name} class="fact">
          <dt>{capital(change.name) || 'Value'}</dt>
          <dd>
            {change.before !== null && <del>{change.before}</del>}
            {change.before !== null && ' → '}
            <ins>{change.after ?? 'none'}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
