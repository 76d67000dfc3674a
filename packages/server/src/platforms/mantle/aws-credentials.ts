export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** `isRefused`: queries the sources again. Throws a CredentialsError. */
export type FindAwsCredentials = (about: { isRefused: boolean }) => Promise<AwsCredentials>;

export class CredentialsError extends Error {
  override readonly name = 'CredentialsError';
}

const noCredentials =
  'no AWS credentials were found; set apiKey or AWS_BEARER_TOKEN_BEDROCK to a Bedrock API key, or provide an IAM role, AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';

/**
 * Environment, profiles, single sign-on, web identity, container and machine roles. Loads its
 * library lazily, because few installations need it.
 */
export function createAwsCredentialChain(region: string): FindAwsCredentials {
  const open = once(async () => {
    const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
    return defaultProvider({ clientConfig: { region } });
  });
  return async ({ isRefused }) => {
    const chain = await open();
    try {
      return await chain({ forceRefresh: isRefused });
    } catch (error) {
      // The library's message names the last source's problem, in one or several lines.
      const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
      throw new CredentialsError(`${noCredentials} (${why})`, { cause: error });
    }
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
