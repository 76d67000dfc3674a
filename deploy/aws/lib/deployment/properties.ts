import { z } from 'zod';

const cidrPattern = /^(?:\d{1,3}\.){3}\d{1,3}\/(?:[89]|[12]\d|3[0-2])$/;
const secretArnPattern =
  /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-[A-Za-z0-9]{6}$/;

/** A text; the same sentence corrects a missing and a wrong value. */
function text(pattern: RegExp, cure: string) {
  return z.string({ error: cure }).regex(pattern, { error: cure });
}

function choice<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words, { error: `write ${words.join(' or ')}` });
}

function secretArn(cure: string) {
  return text(secretArnPattern, cure);
}

function count(most: number) {
  const error = `write a whole number from 1 to ${most}`;
  return z.number({ error }).int({ error }).min(1, { error }).max(most, { error });
}

const yesOrNo = z.boolean({ error: 'write true or false' });
const cidr = text(cidrPattern, 'write a network such as 10.80.0.0/16');

const app = z.looseObject({
  name: text(/^[a-z][a-z0-9-]{0,62}$/, 'write its name: a lower-case letter, then a-z, 0-9 and -'),
  project: text(
    /^(own|none|proj_[a-z0-9]+)$/,
    'write own for a project of this stack, the id of one that is there already (proj_…), or none',
  ).default('own'),
});

const platform = z.looseObject({
  kind: text(/^[a-z-]+$/, 'write its kind, such as openai-compatible'),
  apiKeySecretArn: secretArn(
    'write the full ARN of the secret that has its key, which ends with six random characters',
  ).optional(),
});

const streamsOrLimits = z.record(z.string(), z.unknown());

/** The properties of a deployment. Error sentences contain the correction. */
export const propertiesSchema = z.strictObject(
  {
    company: text(/^[a-z][a-z0-9-]{0,30}$/, 'write the company, as gateway.yaml has it'),
    account: text(/^\d{12}$/, 'write the 12 digits of the account'),
    region: text(/^[a-z]{2,4}(-[a-z]+)+-\d$/, 'write a region that has Bedrock mantle'),
    host: text(
      /^[a-z0-9-]+(\.[a-z0-9-]+)+$/,
      'write the name by which callers find the gateway, such as gateway.acme.example',
    ),
    certificateArn: text(
      /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
      'there is no certificate: write the ARN of one of AWS Certificate Manager for host',
    ),
    image: text(
      /^[\w.-]+(:\d+)?(\/[\w.-]+)+(:[\w.-]+|@sha256:[0-9a-f]{64})$/,
      'write the image with its tag or digest, as it is in a registry',
    ),
    keyRingSecretArn: secretArn(
      'there is no secret of the key ring: make one whose value is ID:SECRET, with 32 characters or more in SECRET, and write its full ARN',
    ),
    apps: z.array(app, { error: 'write a list of apps' }).min(1, { error: 'write one app' }),
    front: choice('alb', 'rest-api').default('alb'),
    // sqlite is accepted here, to be rejected with its own sentence.
    store: choice('rds', 'aurora', 'external', 'sqlite').default('rds'),
    storeInstance: text(/^[a-z0-9]+\.[a-z0-9]+$/, 'write a class such as m7g.large').optional(),
    storeSecretArn: secretArn(
      'write the full ARN of a secret whose value is the URL of the store',
    ).optional(),
    storePort: count(65_535).default(5_432),
    egress: choice('none', 'nat').default('none'),
    streaming: yesOrNo.default(false),
    stopTimeoutSeconds: count(120).optional(),
    network: cidr.default('10.80.0.0/16'),
    callers: z.array(cidr, { error: 'write a list of networks' }).optional(),
    tasks: z
      .strictObject({ min: count(100), max: count(100) }, { error: 'write { "min": 2, "max": 8 }' })
      .default({ min: 2, max: 8 }),
    alarmTopicArn: text(/^arn:aws[a-z-]*:sns:\S+$/, 'write the ARN of a topic of SNS').optional(),
    webAclArn: text(/^arn:aws[a-z-]*:wafv2:\S+$/, 'write the ARN of a web ACL').optional(),
    secrets: z
      .record(
        text(/^[A-Z][A-Z0-9_]{0,63}$/, 'write the name of a variable, such as HOOK_SECRET'),
        secretArn('write the full ARN of the secret that the variable has'),
      )
      .default({}),
    platforms: z.record(text(/^[A-Za-z]\w{0,31}$/, 'write a name'), platform).default({}),
    gateway: z
      .looseObject(
        { limits: streamsOrLimits.optional(), defaultPlatform: z.string().optional() },
        { error: 'write other keys of gateway.yaml' },
      )
      .default({}),
  },
  { error: 'must be a JSON object of properties: docs/deploy.md has an example' },
);

/** The properties of a deployment, with their defaults. */
export type Deployment = z.infer<typeof propertiesSchema>;

/** One app of a deployment: its other keys belong to the service. */
export type DeployedApp = Deployment['apps'][number];
