import type { ReconciledDocument } from '@model-gateway/server/operations/documents';
import type { Tone } from '../../parts/badge.tsx';

export type Verdict = ReconciledDocument['verdict'];

interface Meaning {
  readonly tone: Tone;
  readonly text: string;
  /** The meaning, and the next step. */
  readonly help: string;
}

/** The worst first. */
export const verdicts: Readonly<Record<Verdict, Meaning>> = {
  over: {
    ...{ tone: 'bad', text: 'Invoice is higher' },
    help: 'The platform bills more than the gateway requested. Look for other users of the project, such as a leaked key. Then check prices: with a wrong price, one model is off by a constant percentage.',
  },
  foreign: {
    ...{ tone: 'bad', text: 'Unknown project' },
    help: 'No app is bound to this project. The project might belong to another user of the account, or an app was bound to it earlier.',
  },
  untagged: {
    ...{ tone: 'bad', text: 'No project' },
    help: 'The invoice line has no project. Activate cost tags on the platform, and bind the projects.',
  },
  under: {
    ...{ tone: 'warn', text: 'Invoice is lower' },
    help: 'The platform bills less than its reported token counts. Check for a price cut (update the configuration file) or a discount.',
  },
  open: {
    ...{ tone: 'plain', text: 'No invoice yet' },
    help: 'The invoice lacks this day, or is still lower than the ledger. Import it again later.',
  },
  explained: {
    ...{ tone: 'good', text: 'Within estimates' },
    help: 'Estimates or calls around midnight explain the difference. Settle the day when the invoice is final.',
  },
  equal: { tone: 'good', text: 'Equal', help: 'The invoice matches the ledger.' },
};

export const allVerdicts = Object.keys(verdicts).filter(
  (name): name is Verdict => name in verdicts,
);

/** The first verdict of the table that occurs in the rows. */
export function worstOf(rows: readonly ReconciledDocument[]): Verdict {
  return allVerdicts.find((name) => rows.some(({ verdict }) => verdict === name)) ?? 'equal';
}

export function isProblem(verdict: Verdict): boolean {
  return verdicts[verdict].tone === 'bad' || verdicts[verdict].tone === 'warn';
}
