import { minifySync, transformSync } from 'rolldown/utils';

/**
 * Property names that only the client's own files use. The build shortens them, since bundlers
 * cannot; source maps have them. Names from public types, bodies or the language must not be here:
 * the build rejects names from public types.
 */
const innerNames: readonly string[] = [
  ...['afterLimit', 'afterPause', 'backoffBaseMs', 'backoffCapMs', 'baseKey', 'bill'],
  ...[
    'callOptions',
    'checked',
    'collector',
    'costsMoney',
    'deadline',
    'denied',
    'ending',
    'epochMs',
    'paidAnswer',
  ],
  ...[
    'failure',
    'head',
    'hub',
    'isAbortable',
    'isApiError',
    'isFree',
    'judge',
    'kind',
    'leave',
    'listener',
  ],
  ...[
    'monotonicMs',
    'note',
    'ofCall',
    'onAbort',
    'onAwaited',
    'onEnd',
    'owner',
    'putBack',
    'race',
    'readToEnd',
  ],
  ...['redactor', 'refusesRetry', 'remainingMs', 'retryAfterMsMax', 'isRead', 'runs', 'runtime'],
  ...['settings', 'silence', 'sleep', 'standsFor', 'startedMs', 'streamTimeoutMs', 'totalUsd'],
  ...['isFollowed', 'state', 'uuid'],
];

/** Shortens them the same way in each module, since modules pass these objects to each other. */
export function innerNamesPlugins() {
  const short = innerNames.map(
    (name, index) => [name, String.fromCharCode((index < 26 ? 65 : 71) + index)] as const,
  );
  const cache: Record<string, string> = Object.fromEntries(short);
  const mangleProps = { include: new RegExp(`^(${innerNames.join('|')})$`), cache };
  const asWritten = { compress: false, mangle: false, codegen: { removeWhitespace: false } };
  return [
    {
      name: 'types-away',
      transform: (code: string, path: string) => {
        if (!path.endsWith('.ts')) return undefined;
        const { code: script, map } = transformSync(path, code, { sourcemap: true });
        return { code: script, map, moduleType: 'js' as const };
      },
    },
    {
      name: 'inner-names',
      transform: (code: string, path: string) => {
        if (!path.endsWith('.ts')) return undefined;
        checkLanguage(path, code);
        const options = { ...asWritten, mangleProps, sourcemap: true, module: true };
        const { code: script, map } = minifySync(path.replace(/ts$/, 'js'), code, options);
        return { code: script, map };
      },
    },
  ];
}

/** Throws where a published type has one of these names. */
export function checkInnerNames(types: string): void {
  const code = types.replace(/\/\*[\s\S]*?\*\//g, '');
  const shown = innerNames.filter((name) => new RegExp(`\\b${name}\\b[?:(]`).test(code));
  if (shown.length > 0) throw new Error(`these names are no inner names: ${shown.join(', ')}`);
}

/** Throws where code reads one of these names from a global of the language, such as `Math`. */
function checkLanguage(path: string, code: string): void {
  const ofLanguage = new RegExp(`\\b[A-Z]\\w*\\.(${innerNames.join('|')})\\b`);
  const [match] = ofLanguage.exec(code) ?? [];
  if (match !== undefined) throw new Error(`${path}: ${match} would be renamed`);
}
