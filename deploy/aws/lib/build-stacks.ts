import { type App, DefaultStackSynthesizer, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Deployment } from './deployment/properties.ts';
import { GatewayStack } from './gateway-stack.ts';
import { ProjectsStack } from './projects-stack.ts';

/**
 * The two stacks of a deployment have different lifetimes: projects are kept forever, and the
 * gateway can be created again. A finding of cdk-nag without an acknowledgment ends the synthesis.
 */
export function buildStacks(app: App, deployment: Deployment): void {
  const { account, region, company } = deployment;
  const props = (name: string) => ({
    env: { account, region },
    stackName: `model-gateway-${company}-${name}`,
    // CloudFormation must accept the templates without a bootstrapped account: they have no assets.
    synthesizer: new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }),
  });
  const gateway = new GatewayStack(app, 'Gateway', deployment, props('gateway'));
  // CloudFormation rejects an empty stack: if each app has a project already, this stack is left
  // out.
  if (deployment.apps.some(({ project }) => project === 'own')) {
    const projects = new ProjectsStack(app, 'Projects', deployment, props('projects'));
    // The gateway's stack reads the ids when it is deployed.
    gateway.addStackDependency(projects);
  }
  Tags.of(gateway).add('company', company);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
