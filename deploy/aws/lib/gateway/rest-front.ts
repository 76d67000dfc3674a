import { CfnResource, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ConnectionType,
  EndpointType,
  Integration,
  IntegrationType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { VpcLink } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { gatewayErrors } from '../../../../packages/contract/src/errors.ts';
import type { Deployment } from '../deployment/properties.ts';
import { integrationMs } from '../times.ts';
import { acknowledge } from './acknowledge.ts';
import type { Balancer } from './balancer.ts';
import type { Network } from './network.ts';

/** The API's own rejections, each with the specified response for callers. */
const refusals: readonly (readonly [string, ResponseType, keyof typeof gatewayErrors])[] = [
  ['AccessDenied', ResponseType.ACCESS_DENIED, 'FORBIDDEN'],
  ['Unauthorized', ResponseType.UNAUTHORIZED, 'FORBIDDEN'],
  ['InvalidApiKey', ResponseType.INVALID_API_KEY, 'FORBIDDEN'],
  ['MissingToken', ResponseType.MISSING_AUTHENTICATION_TOKEN, 'FORBIDDEN'],
  ['WafFiltered', ResponseType.WAF_FILTERED, 'FORBIDDEN'],
  ['Throttled', ResponseType.THROTTLED, 'TOO_MANY_REQUESTS'],
  ['QuotaExceeded', ResponseType.QUOTA_EXCEEDED, 'LIMIT_EXCEEDED'],
  ['TooLarge', ResponseType.REQUEST_TOO_LARGE, 'REQUEST_TOO_LONG'],
  ['BadBody', ResponseType.BAD_REQUEST_BODY, 'BAD_REQUEST'],
  ['BadParameters', ResponseType.BAD_REQUEST_PARAMETERS, 'BAD_REQUEST'],
  ['IntegrationTimeout', ResponseType.INTEGRATION_TIMEOUT, 'GATEWAY_TIMEOUT'],
  // The balancer was not reached: as after a time-out, the call might have been sent, and is
  // retried.
  ['IntegrationFailure', ResponseType.INTEGRATION_FAILURE, 'GATEWAY_TIMEOUT'],
];

/**
 * A regional REST API before the balancer, for a public entry point, a web ACL or its own domain.
 * It has no usage plan: keys, rates and quotas belong to the service, which counts exactly. The
 * stage is called v1, since an API forwards its stage's name to the backend.
 */
export class RestFront extends Construct {
  readonly api: RestApi;

  constructor(
    scope: Construct,
    id: string,
    parts: {
      readonly deployment: Deployment;
      readonly network: Network;
      readonly balancer: Balancer;
    },
  ) {
    super(scope, id);
    const { deployment, network, balancer } = parts;
    const group = network.group('Link', 'The REST API');
    network.allow(group, network.balancer, 443, 'The REST API');
    const link = new VpcLink(this, 'Link', {
      vpc: network.vpc,
      subnets: { subnetType: network.inside },
      securityGroups: [group],
    });
    this.api = this.makeApi(deployment);
    this.proxy(deployment, balancer, link);
    for (const [name, type, error] of refusals) {
      const { status, message } = gatewayErrors[error];
      this.api.addGatewayResponse(name, {
        type,
        statusCode: String(status),
        templates: { 'application/json': JSON.stringify({ message }) },
      });
    }
    if (deployment.webAclArn !== undefined) {
      new CfnWebACLAssociation(this, 'WebAcl', {
        resourceArn: this.api.deploymentStage.stageArn,
        webAclArn: deployment.webAclArn,
      });
    }
  }

  private makeApi({ company }: Deployment): RestApi {
    const logGroup = new LogGroup(this, 'Requests', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const api = new RestApi(this, 'Api', {
      restApiName: `${company}-model-gateway`,
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: 'v1',
        accessLogDestination: new LogGroupLogDestination(logGroup),
        accessLogFormat: AccessLogFormat.jsonWithStandardFields(),
        loggingLevel: MethodLoggingLevel.ERROR,
        // Traces would contain prompts and responses.
        dataTraceEnabled: false,
        metricsEnabled: true,
      },
    });
    acknowledge(api, {
      'AwsSolutions-APIG2': 'the service reads bodies strictly, with the specified answers',
      'AwsSolutions-APIG3': 'a web ACL is the property webAclArn',
      'AwsSolutions-APIG4': 'the service knows the callers by x-api-key',
      'AwsSolutions-COG4': 'callers are services, which have keys and no passwords',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'it is what AWS asks for, once for each account, to let an API log',
    });
    return api;
  }

  /** Forwards everything below the stage unchanged. */
  private proxy({ host }: Deployment, { balancer }: Balancer, link: VpcLink): void {
    const resource = this.api.root.addResource('{proxy+}');
    const method = resource.addMethod(
      'ANY',
      new Integration({
        type: IntegrationType.HTTP_PROXY,
        integrationHttpMethod: 'ANY',
        uri: `https://${host}/v1/{proxy}`,
        options: {
          timeout: Duration.millis(integrationMs),
          requestParameters: { 'integration.request.path.proxy': 'method.request.path.proxy' },
        },
      }),
      { requestParameters: { 'method.request.path.proxy': true } },
    );
    // The construct does not support links of the second kind, which reach a balancer by its ARN.
    const { defaultChild } = method.node;
    if (!CfnResource.isCfnResource(defaultChild)) throw new Error('the method has no resource');
    const target = {
      ConnectionType: ConnectionType.VPC_LINK,
      ConnectionId: link.vpcLinkId,
      IntegrationTarget: balancer.loadBalancerArn,
    };
    for (const [name, value] of Object.entries(target)) {
      defaultChild.addPropertyOverride(`Integration.${name}`, value);
    }
    // A different target creates a new deployment.
    this.api.latestDeployment?.addToLogicalId(target);
  }
}
