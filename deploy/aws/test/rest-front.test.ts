import { describe, expect, test } from 'vitest';
import { gatewayErrors } from '../../../packages/contract/src/errors.ts';
import { synthesize } from './synthesize.ts';

const { gateway } = synthesize({ front: 'rest-api' });
const method = gateway.one('AWS::ApiGateway::Method').Properties;

describe('the REST API', () => {
  test('forwards everything below /v1 to the balancer, over TLS, for 29 s', () => {
    expect(gateway.one('AWS::ApiGateway::Resource').Properties.PathPart).toBe('{proxy+}');
    expect(gateway.one('AWS::ApiGateway::Stage').Properties.StageName).toBe('v1');
    expect(method).toMatchObject({
      ...{ HttpMethod: 'ANY', AuthorizationType: 'NONE' },
      Integration: {
        ...{ Type: 'HTTP_PROXY', ConnectionType: 'VPC_LINK', TimeoutInMillis: 29_000 },
        Uri: 'https://gateway.acme.example/v1/{proxy}',
        ConnectionId: { Ref: expect.stringContaining('Link') },
        IntegrationTarget: { Ref: expect.stringContaining('Balancer') },
      },
    });
  });

  test('has no usage plan and no key: they belong to the service', () => {
    expect(method.ApiKeyRequired ?? false).toBe(false);
    expect(gateway.text).not.toMatch(/ApiGateway::(UsagePlan|ApiKey|Authorizer)/);
  });

  test.each([
    ['ACCESS_DENIED', 'FORBIDDEN'],
    ['MISSING_AUTHENTICATION_TOKEN', 'FORBIDDEN'],
    ['WAF_FILTERED', 'FORBIDDEN'],
    ['THROTTLED', 'TOO_MANY_REQUESTS'],
    ['QUOTA_EXCEEDED', 'LIMIT_EXCEEDED'],
    ['REQUEST_TOO_LARGE', 'REQUEST_TOO_LONG'],
    ['BAD_REQUEST_BODY', 'BAD_REQUEST'],
    ['INTEGRATION_TIMEOUT', 'GATEWAY_TIMEOUT'],
    ['INTEGRATION_FAILURE', 'GATEWAY_TIMEOUT'],
  ] as const)('rejects by itself with the specified body: %s', (type, name) => {
    const { status, message } = gatewayErrors[name];
    const found = gateway
      .of('AWS::ApiGateway::GatewayResponse')
      .find(({ Properties }) => Properties.ResponseType === type);
    expect(found?.Properties).toMatchObject({
      StatusCode: String(status),
      ResponseTemplates: { 'application/json': JSON.stringify({ message }) },
    });
  });

  test('returns the exact messages of the specification', () => {
    const bodies = gateway
      .of('AWS::ApiGateway::GatewayResponse')
      .map(({ Properties }) => Properties.ResponseTemplates['application/json']);
    for (const message of ['Forbidden', 'Too Many Requests', 'Limit Exceeded']) {
      expect(bodies).toContain(`{"message":"${message}"}`);
    }
    expect(bodies).toContain('{"message":"Endpoint request timed out"}');
  });

  test('logs the caller, and no prompt', () => {
    const { Properties } = gateway.one('AWS::ApiGateway::Stage');
    expect(Properties.AccessLogSetting.DestinationArn).toBeDefined();
    for (const setting of Properties.MethodSettings) {
      expect([setting.DataTraceEnabled, setting.LoggingLevel]).toEqual([false, 'ERROR']);
    }
  });

  test('is the only client of the balancer', () => {
    const balancer = gateway
      .of('AWS::EC2::SecurityGroup')
      .find(({ id }) => id.startsWith('NetworkBalancer'));
    expect(balancer?.Properties.SecurityGroupIngress ?? []).toEqual([]);
    const sources = gateway
      .of('AWS::EC2::SecurityGroupIngress')
      .filter(({ Properties }) => Properties.ToPort === 443)
      .map(({ Properties }) => Properties.Description);
    expect(sources.toSorted()).toEqual(['Services of AWS', 'The REST API']);
  });

  test('is behind a web ACL where one is named', () => {
    const webAclArn = 'arn:aws:wafv2:eu-west-1:111122223333:regional/webacl/acme/1';
    const behind = synthesize({ front: 'rest-api', webAclArn }).gateway;
    expect(behind.one('AWS::WAFv2::WebACLAssociation').Properties.WebACLArn).toBe(webAclArn);
  });
});
