import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { noProjectId } from '../../../../packages/server/src/platforms/mantle/probe.ts';

/**
 * The service's permissions on mantle: to call models in the projects of its apps. The project of
 * the probe does not exist. Without permission for it the service could not verify that calls are
 * billed to their project, and would reject all calls.
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
 * long-term key might leak, and a role does not need it.
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
