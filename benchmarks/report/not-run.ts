import type { NotRun } from '../rounds/run-scenario.ts';

/**
 * The end of the report: the sides that did not take part, each with the reason, and their number.
 */
export function notRunText(notRun: readonly NotRun[]): string {
  const reasons = new Map<string, NotRun>();
  for (const entry of notRun) reasons.set(`${entry.side} ${entry.reason}`, entry);
  const lines = [...reasons.values()].map(
    ({ side, reason }) => `    ${side}: ${inOneLine(reason)}`,
  );
  return [`\nnot run: ${lines.length}`, ...lines].join('\n');
}

function inOneLine(reason: string): string {
  return reason.replaceAll(/\s+/g, ' ').trim();
}
