/** Nonlinear patterns, and the limit that makes each safe. */
export const bounded: Readonly<Record<string, string>> = {
  [String.raw`/['"${'`'}]([\w.[\]-]{1,128})['"${'`'}]|\b([a-z]\w{0,63}(?:[.[]\w{1,32}\]?){0,12}):/gi`]:
    'platforms/model/rejection.ts reads at most 16,000 characters of an error; from each it looks at most 472 ahead',
  '/0+$/':
    'sdk/src/lib/usd.ts: an amount has at most 81 digits; the linear form is longer than the client may be',
};

/** Expressions that only the running program can evaluate, by file, and why each is safe. */
export const dynamic: Readonly<Record<string, string>> = {
  'config/reader.ts: pattern: `${pattern}|${variableReference}`':
    'the schema of the configuration, which the service never runs; gateway.schema.json has each',
  'config/scalars.ts: new RegExp(digits)': 'its pattern is in gateway.schema.json',
  'config/scalars.ts: new RegExp(decimal)': 'its pattern is in gateway.schema.json',
  [String.raw`operations/context/masking.ts: new RegExp(${'`'}\\b(${'$'}{roles.join('|')}) session [^\\s)]+${'`'}, 'g')`]:
    'a choice of words, and one repeat at the end that nothing follows',
  'json-schema/keywords.ts: pattern: expression':
    'the keyword whose value is a pattern of a schema',
  'json-schema/worker.ts: pattern': 'names the pattern in a message; nothing is compiled of it',
  "json-schema/pattern.ts: new RegExp(pattern, 'u')":
    'patterns of callers are only compiled here; the loop runs those of isLinearPattern, threads the others',
  'json-schema/pattern.ts: new RegExp(pattern)':
    'patterns of callers are only compiled here; the loop runs those of isLinearPattern, threads the others',
  "lib/explain.ts: new RegExp(pattern, 'u')":
    'patterns of our own schemas, which are checked where they are written; never those of callers',
  'lib/router.ts: pattern: patternOf(path)': 'the expression of patternOf, which is listed',
  "lib/router.ts: new RegExp(`^${parts.join('/')}$`)":
    'one repeat between two slashes, and none takes a slash',
  [String.raw`registry/user-id.ts: new RegExp(${'`'}^[^/\\p{Cc}]{1,${'$'}{userIdCharactersMax}}${'$`'}, 'u')`]:
    'one class, repeated at most 128 times',
};
