import type { ReconciledDocument } from '@model-gateway/server/operations/documents';
import type { Tone } from '../../parts/badge.tsx';

export type Verdict = ReconciledDocument['verdict'];

interface Meaning {
  readonly tone: Tone;
  readonly text: string;
  /** The meaning, and what to do. */
  readonly help: string;
}

/** The worst first. */
export const verdicts: Readonly<Record<Verdict, Meaning>> = {
  over: {
    ...{ tone: 'bad', text: 'Invoice is higher' },
    help: 'The platform bills more than the gateway requested. Look for another user of the project, such as a leaked key. Then check prices: a wrong price shows as the same share on one model.',
  },
  foreign: {
    ...{ tone: 'bad', text: 'Unknown project' },
    help: 'The project belongs to no app. Another user of the account made the calls, or the project was bound until then.',
  },
  untagged: {
    ...{ tone: 'bad', text: 'No project' },
    help: 'The invoice line names no project. Activate the tags at the platform, and bind the projects.',
  },
  under: {
    ...{ tone: 'warn', text: 'Invoice is lower' },
    help: 'The platform bills less than it reported. Its price fell: correct it in the configuration file. Or it gives a discount.',
  },
  open: {
    ...{ tone: 'plain', text: 'No invoice yet' },
    help: 'The invoice has no such day yet, or less than the ledger. Import it again later.',
  },
  explained: {
    ...{ tone: 'good', text: 'Within estimates' },
    help: 'The difference is within the estimates and the calls around midnight. Settle the day once it is final.',
  },
  equal: { tone: 'good', text: 'Equal', help: 'The invoice equals the ledger.' },
};

export const allVerdicts = Object.keys(verdicts).filter(
  (name): name is Verdict => name in verdicts,
);

/** The first of these that some row has. */
export function worstOf(rows: readonly ReconciledDocument[]): Verdict {
  return allVerdicts.find((name) => rows.some(({ verdict }) => verdict === name)) ?? 'equal';
}

export function isProblem(verdict: Verdict): boolean {
  return verdicts[verdict].tone === 'bad' || verdicts[verdict].tone === 'warn';
}
