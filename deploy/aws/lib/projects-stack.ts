import { CfnOutput, RemovalPolicy, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import { CfnProject } from 'aws-cdk-lib/aws-bedrockmantle';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { projectName } from './deployment/problems.ts';
import type { Deployment } from './deployment/properties.ts';

/** The parameter from which the other stack reads the id of an app's project. */
export function projectParameter(company: string, app: string): string {
  return `/model-gateway/${company}/projects/${app}`;
}

/**
 * One billing project for each app. A project is never deleted: neither with its app, nor with this
 * stack, nor by a replacement. Ids are parameters and not exports, since a used export prevents
 * CloudFormation from removing an app.
 */
export class ProjectsStack extends Stack {
  constructor(scope: Construct, id: string, deployment: Deployment, props: StackProps) {
    super(scope, id, { ...props, terminationProtection: true });
    const { company } = deployment;
    for (const { name: app, project } of deployment.apps) {
      if (project !== 'own') continue;
      const name = projectName(company, app);
      // A separate scope: CloudFormation would otherwise give `a-b` and `ab` the same name.
      const scope = new Construct(this, app);
      const made = new CfnProject(scope, 'Project', { name });
      made.applyRemovalPolicy(RemovalPolicy.RETAIN);
      Tags.of(made).add('managed-by', 'model-gateway');
      Tags.of(made).add('company', company);
      Tags.of(made).add('app', app);
      new StringParameter(scope, 'Parameter', {
        parameterName: projectParameter(company, app),
        stringValue: made.attrId,
        description: `The id of ${name}`,
      });
      new CfnOutput(scope, 'Id', { value: made.attrId, description: name });
    }
  }
}
