import { hash } from 'node:crypto';
import type { Log } from '../../../lib/log.ts';
import { failureOf, messageOf } from '../connection/failure.ts';

/** Without names behind a pooler that loses prepared statements. */
export interface StatementNames {
  isNamed(): boolean;
  /**
   * Derived from the text: behind a pooler, the same name is the same statement for every process
   * and version.
   */
  nameOf(statement: string): string;
  note(error: unknown): void;
}

export function createStatementNames(log: Log): StatementNames {
  const names = new Map<string, string>();
  let isNamed = true;
  return {
    isNamed: () => isNamed,
    nameOf(statement) {
      const existing = names.get(statement);
      if (existing !== undefined) return existing;
      const name = `mg_${hash('sha256', statement).slice(0, 24)}`;
      names.set(statement, name);
      return name;
    },
    note(error) {
      if (!isNamed || failureOf(error) !== 'unnamed') return;
      isNamed = false;
      log.warn(
        { error: messageOf(error) },
        'connection pooler loses prepared statements; commits are slower',
      );
    },
  };
}
