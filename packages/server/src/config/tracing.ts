import type { Sampling, TracingConfig } from '../domain/tracing.ts';
import { mustBe } from '../lib/sentences.ts';
import { type Field, report } from './field.ts';
import type { IsNeeded } from './parts.ts';
import { reader, textSchema, valueSchema } from './reader.ts';
import { parsed, text, yesOrNo } from './scalars.ts';
import {
  key,
  openSection,
  recordOf,
  type Section,
  sectionSchema,
  type ValuesOf,
} from './section.ts';
import type { Variables } from './variables.ts';

const collectorUrl = parsed(
  textSchema('^https?://[^?#@]+$'),
  'the URL of a collector for OTLP over HTTP, such as http://127.0.0.1:4318',
  urlOf,
);

const share = parsed(
  valueSchema('number', String.raw`^(0(\.\d{1,9})?|1(\.0{1,9})?)$`, { minimum: 0, maximum: 1 }),
  'a number from 0 to 1, such as 0.05',
  shareOf,
);

/** No problem shows the value: it might be a secret. */
const headerValue = reader(
  { type: ['string', 'number', 'boolean'], minLength: 1 },
  (field): string | undefined => {
    const value = text(field);
    if (value === undefined || /^[\x20-\x7e]*$/.test(value)) return value;
    return report(field, 'must be printable ASCII');
  },
);

const headers = recordOf(headerValue, {
  names: /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/,
  rule: 'the name of a header',
});

const tracingKeys = {
  otlp: key('URL of the OTLP/HTTP collector (JSON), such as http://127.0.0.1:4318', collectorUrl),
  sample: key('Sampling rate of requests without a sampling decision of the caller', share),
  headers: key('Sent with every export, such as authorization', headers),
  keepFailures: key('true: also record failed requests that were not sampled', yesOrNo),
};

export const tracingSchema = sectionSchema(tracingKeys, { sample: 1, keepFailures: false });

/** Only OpenTelemetry's endpoint variables enable tracing. */
const endpoints = {
  traces: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  all: 'OTEL_EXPORTER_OTLP_ENDPOINT',
} as const;

/**
 * The file takes precedence over OpenTelemetry's variables. Undefined if neither names a collector.
 */
export function readTracing(
  field: Field | undefined,
  {
    variables,
    isNeeded,
    problems,
  }: {
    readonly variables: Variables;
    readonly isNeeded: IsNeeded;
    readonly problems: string[];
  },
): TracingConfig | undefined {
  // A command that sends no spans must not report variables that only a service needs.
  const otelVariables = readOtelVariables(variables, isNeeded(['tracing']) ? problems : []);
  const section = field && openSection(field, tracingKeys);
  const keepFailures = section?.read('keepFailures') ?? false;
  const headers = section?.read('headers') ?? {};
  const sample = section?.read('sample');
  const url = fileUrl(section) ?? otelVariables.endpoint();
  if (field !== undefined && url === undefined && section?.field('otlp') === undefined) {
    const requirement = `requires otlp, the URL of the collector, such as http://127.0.0.1:4318; or set ${endpoints.all}`;
    report(field, requirement);
  }
  if (url === undefined || otelVariables.text('OTEL_SDK_DISABLED') === 'true') return undefined;
  otelVariables.checkProtocol();
  const sampling =
    sample === undefined ? otelVariables.sampling() : { ratio: sample, isParentBased: true };
  const serviceName = otelVariables.text('OTEL_SERVICE_NAME') ?? 'model-gateway';
  return {
    url,
    headers,
    sampling,
    keepFailures,
    serviceName,
    attributes: otelVariables.attributes(),
  };
}

function fileUrl(section: Section<ValuesOf<typeof tracingKeys>> | undefined): string | undefined {
  const url = section?.read('otlp');
  return url === undefined ? undefined : tracesUrl(url);
}

function tracesUrl(url: string): string {
  return `${url.replace(/(?<!\/)\/+$/, '')}/v1/traces`;
}

function urlOf(value: string): string | undefined {
  const isUrl = /^https?:\/\/[^?#@]+$/.test(value) && URL.canParse(value);
  return isUrl ? value : undefined;
}

function shareOf(value: string): number | undefined {
  const share = /^\d(\.\d{1,9})?$/.test(value) ? Number(value) : -1;
  return share >= 0 && share <= 1 ? share : undefined;
}

function readOtelVariables(variables: Variables, problems: string[]) {
  const text = (name: string) => {
    const variable = variables(name);
    if (variable.text === undefined && variable.isSet) problems.push(variable.problem);
    return variable.text;
  };
  const wrong = (name: string, rule: string) => {
    problems.push(`${name}: ${mustBe(rule, JSON.stringify(text(name)))}`);
    return undefined;
  };
  return { text, endpoint, checkProtocol, sampling, attributes };

  function endpoint(): string | undefined {
    const { traces, all } = endpoints;
    const name = text(traces) === undefined ? all : traces;
    const url = text(name);
    if (url === undefined) return undefined;
    if (urlOf(url) === undefined) {
      return wrong(name, 'the URL of a collector, such as http://127.0.0.1:4318');
    }
    return name === traces ? url : tracesUrl(url);
  }

  function checkProtocol() {
    for (const name of ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
      const protocol = text(name);
      if (protocol === undefined || protocol === 'http/json') continue;
      wrong(name, 'http/json');
    }
  }

  function sampling(): Sampling {
    const name = 'OTEL_TRACES_SAMPLER';
    const word = text(name) ?? 'parentbased_always_on';
    const [, parent, root] =
      /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(word) ?? [];
    if (root === undefined) wrong(name, `one of ${samplers.join(', ')}`);
    const isParentBased = parent !== undefined;
    if (root !== 'traceidratio') return { isParentBased, ratio: root === 'always_off' ? 0 : 1 };
    const argument = 'OTEL_TRACES_SAMPLER_ARG';
    const share = shareOf(text(argument) ?? '1');
    if (share === undefined) wrong(argument, 'a number from 0 to 1');
    return { isParentBased, ratio: share ?? 1 };
  }

  function attributes(): Readonly<Record<string, string>> {
    const name = 'OTEL_RESOURCE_ATTRIBUTES';
    const pairs = (text(name) ?? '').split(',').filter((pair) => pair.trim() !== '');
    const entries = pairs.map((pair) => {
      const [, attribute = '', value = ''] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? [];
      if (attribute === '') wrong(name, 'a list of name=value');
      return [attribute, decoded(value.trim())];
    });
    return Object.fromEntries(entries);
  }
}

const roots = ['always_on', 'always_off', 'traceidratio'];
const samplers = [...roots, ...roots.map((root) => `parentbased_${root}`)];

/** Values with a comma are percent-encoded. Other text stays unchanged. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
