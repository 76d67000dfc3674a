import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { noProjectId } from '../../../../packages/server/src/platforms/mantle/probe.ts';

/**
 * What the service may do on mantle: call models in the projects of its apps. The project of the
 * probe does not exist; without a right to ask for it the service could not see that calls are
 * billed to the project they name, and would take none.
 */
export function callsOnMantle(scope: Construct, projectIds: readonly string[]): PolicyStatement {
  const stack = Stack.of(scope);
  const resources = [...projectIds, noProjectId].map((id) =>
    stack.formatArn({ service: 'bedrock-mantle', resource: 'project', resourceName: id }),
  );
  return new PolicyStatement({ actions: ['bedrock-mantle:CreateInference'], resources });
}

/**
 * The use of a short-term key, which the service signs itself. AWS gives this action no resource. A
 * long-term key is what leaks, and a role has no need of one.
 */
export function shortTermKeys(): PolicyStatement {
  return new PolicyStatement({
    actions: ['bedrock-mantle:CallWithBearerToken'],
    resources: ['*'],
    conditions: { StringNotEqualsIfExists: { 'bedrock-mantle:BearerTokenType': 'LONG_TERM' } },
  });
}

/** Sessions of operators in a task; AWS gives these actions no resource. */
export function sessions(): PolicyStatement {
  const actions = ['CreateControlChannel', 'CreateDataChannel', 'OpenControlChannel'];
  return new PolicyStatement({
    actions: [...actions, 'OpenDataChannel'].map((action) => `ssmmessages:${action}`),
    resources: ['*'],
  });
}
