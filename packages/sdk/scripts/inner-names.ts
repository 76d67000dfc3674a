import { minifySync, transformSync } from 'rolldown/utils';

/**
 * Names of properties that the files of the client use among themselves, and that are in none of
 * its types: the build shortens them, since bundlers cannot, and source maps have them. One that
 * a type, a body or the language has must not be here: the build refuses the first.
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

/** What shortens them in each module: the same everywhere, since one has what another makes. */
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

/** Throws where a type that is published has one of them. */
export function checkInnerNames(types: string): void {
  const code = types.replace(/\/\*[\s\S]*?\*\//g, '');
  const shown = innerNames.filter((name) => new RegExp(`\\b${name}\\b[?:(]`).test(code));
  if (shown.length > 0) throw new Error(`these names are no inner names: ${shown.join(', ')}`);
}

/** Throws where one of them is asked of what the language has, such as `Math`. */
function checkLanguage(path: string, code: string): void {
  const ofLanguage = new RegExp(`\\b[A-Z]\\w*\\.(${innerNames.join('|')})\\b`);
  const [match] = ofLanguage.exec(code) ?? [];
  if (match !== undefined) throw new Error(`${path}: ${match} would be renamed`);
}
