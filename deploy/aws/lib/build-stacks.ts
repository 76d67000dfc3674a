import { type App, DefaultStackSynthesizer, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Deployment } from './deployment/properties.ts';
import { GatewayStack } from './gateway-stack.ts';
import { ProjectsStack } from './projects-stack.ts';

/**
 * The two stacks of a deployment, whose lives differ: projects are kept for ever, and the gateway
 * may be made anew. Whatever cdk-nag finds and nothing acknowledges ends the synthesis.
 */
export function buildStacks(app: App, deployment: Deployment): void {
  const { account, region, company } = deployment;
  const props = (name: string) => ({
    env: { account, region },
    stackName: `model-gateway-${company}-${name}`,
    // Templates that CloudFormation takes by itself, too: there are no assets to look for.
    synthesizer: new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }),
  });
  const gateway = new GatewayStack(app, 'Gateway', deployment, props('gateway'));
  // CloudFormation takes no empty stack: where each app has a project already, there is none.
  if (deployment.apps.some(({ project }) => project === 'own')) {
    const projects = new ProjectsStack(app, 'Projects', deployment, props('projects'));
    // It reads the ids when it is deployed.
    gateway.addStackDependency(projects);
  }
  Tags.of(gateway).add('company', company);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
