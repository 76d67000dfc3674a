import type { ReconciledDocument } from '@model-gateway/server/operations/documents';

export const verdicts: Readonly<Record<ReconciledDocument['verdict'], string>> = {
  equal: 'OK: the invoice is what is booked.',
  explained:
    'OK: the difference is within what estimates, or calls around midnight, leave open. Settle the day once it is final.',
  over: 'Problem: the platform bills more than was ever asked for by the gateway. Look for another caller of the project, such as a leaked key; then for a wrong price, which shows as the same share on one model.',
  under:
    'Problem: the platform bills less than it has stated itself. A price that fell: correct it in the file. Or a discount.',
  untagged:
    'Problem: the line names no project. Activate the tags at the platform, and bind the projects.',
  foreign:
    'Problem: the project is of no app. Another user of the account, or a project that was bound until then.',
  open: 'Open: no invoice of that day yet, or less than is booked so far. Wait, and import again.',
};
