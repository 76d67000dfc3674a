import { describe, expect, test } from 'vitest';
import { configOf, fileWith, problemsOf } from './load.ts';

const tracing = (lines: string, environment = {}) =>
  configOf(fileWith(lines === '' ? '' : `tracing: ${lines}\n`), environment).tracing;

const usual = {
  ...{ headers: {}, keepFailures: false, serviceName: 'model-gateway', attributes: {} },
  sampling: { ratio: 1, isParentBased: true },
};
const otlp = 'otlp: "http://127.0.0.1:4318"';
const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

describe('tracing', () => {
  test('is off unless the file or an endpoint of OpenTelemetry sets a destination', () => {
    expect(tracing('')).toBeUndefined();
    expect(
      tracing('', { OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' }),
    ).toBeUndefined();
    expect(tracing(`{ ${otlp} }`)).toEqual({ ...usual, url: 'http://127.0.0.1:4318/v1/traces' });
    expect(tracing('', collector)).toEqual({ ...usual, url: 'http://collector:4318/v1/traces' });
    const own = { ...collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in' };
    expect(tracing('', own)?.url).toBe('https://traces.example/in');
    expect(tracing('', { ...collector, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  });

  test('the file takes precedence, and variables supply the rest', () => {
    const environment = {
      ...collector,
      ...{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' },
      ...{ OTEL_SERVICE_NAME: 'gw', OTEL_RESOURCE_ATTRIBUTES: 'team=core,place=a%2Cb' },
    };
    const attributes = { team: 'core', place: 'a,b' };
    expect(tracing('', environment)).toEqual({
      ...{ ...usual, url: 'http://collector:4318/v1/traces', serviceName: 'gw', attributes },
      sampling: { ratio: 0.25, isParentBased: false },
    });
    const file = `{ ${otlp}, sample: 0.05, keepFailures: true, headers: { authorization: "Bearer \${T}" } }`;
    expect(tracing(file, { ...environment, T: 'secret' })).toEqual({
      ...{ url: 'http://127.0.0.1:4318/v1/traces', serviceName: 'gw', attributes },
      ...{ sampling: { ratio: 0.05, isParentBased: true }, keepFailures: true },
      headers: { authorization: 'Bearer secret' },
    });
  });

  test.each([
    ['always_on', 1, false],
    ['always_off', 0, false],
    ['parentbased_always_on', 1, true],
    ['parentbased_always_off', 0, true],
    ['parentbased_traceidratio', 0.1, true],
  ])('accepts the sampler %s', (OTEL_TRACES_SAMPLER, ratio, isParentBased) => {
    const environment = { ...collector, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG: '0.1' };
    expect(tracing('', environment)?.sampling).toEqual({ ratio, isParentBased });
  });

  test.each([
    [`{ otlp: "grpc://x:4317" }`, 'tracing.otlp: must be the URL of a collector'],
    [`{ otlp: nowhere }`, 'tracing.otlp: must be the URL of a collector'],
    [`{ sample: 0.5 }`, 'tracing: requires otlp, the URL of the collector'],
    [
      `{ ${otlp}, sample: 1.5 }`,
      'tracing.sample: must be a number from 0 to 1, such as 0.05; it is "1.5"',
    ],
    [
      `{ ${otlp}, sample: -1 }`,
      'tracing.sample: must be a number from 0 to 1, such as 0.05; it is "-1"',
    ],
    [`{ ${otlp}, headers: { "a b": x } }`, 'must be the name of a header'],
    [`{ ${otlp}, headers: { a: "x\\ny" } }`, 'contains a line break or another control character'],
    [
      `{ ${otlp}, keepFailures: perhaps }`,
      'tracing.keepFailures: must be true or false; it is "perhaps"',
    ],
    [
      `{ ${otlp}, samples: 1 }`,
      'tracing.samples: is an unknown key; did you mean "sample"? The keys are otlp, sample, headers, keepFailures',
    ],
  ])('%s is rejected with its path', (lines, problem) => {
    expect(problemsOf(fileWith(`tracing: ${lines}\n`))).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'must be http/json; it is "grpc"'],
    [
      { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' },
      'must be http/json; it is "http/protobuf"',
    ],
    [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, 'must be one of always_on, always_off, '],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '7' },
      'OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1; it is "7"',
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
      'must be the URL of a collector, such as http://127.0.0.1:4318; it is "collector:4318"',
    ],
    [
      { OTEL_RESOURCE_ATTRIBUTES: 'x' },
      'OTEL_RESOURCE_ATTRIBUTES: must be a list of name=value; it is "x"',
    ],
  ])('%o is rejected with its name', (environment, problem) => {
    expect(problemsOf(fileWith(), { ...collector, ...environment })).toEqual([
      expect.stringContaining(problem),
    ]);
  });

  test('of two replicas can use two collectors, but not two settings', () => {
    const hash = (lines: string) => configOf(fileWith(`tracing: ${lines}\n`)).hash;
    const here = hash(`{ ${otlp}, headers: { a: b } }`);
    expect(hash('{ otlp: "http://other:4318" }')).toBe(here);
    expect(hash(`{ ${otlp}, sample: 0.5 }`)).not.toBe(here);
  });
});
