import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Why findings at a construct, or below it, are acceptable, by the name of the rule. */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>) {
  for (const [id, reason] of Object.entries(reasons)) {
    Validations.of(construct).acknowledge({ id, reason });
  }
}
